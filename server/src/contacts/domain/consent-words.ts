import { foldedWords } from '#core/text/normalize-text';

/** Messages that say "no more", a language per line. */
const STOP = [
  'stop; stop all; stopall; unsubscribe; opt out; optout; end; quit; cancel; remove me',
  'parar; pare; sair; cancelar; descadastrar',
  'parar; baja; alto; cancelar suscripción; darse de baja; detener',
  'arrêt; arrêter; arret; désinscription; désabonner; se désabonner',
  'stopp; abmelden; abbestellen; keine werbung',
  'ferma; basta; annulla; disiscrivi; cancellami',
  'afmelden; uitschrijven; stoppen',
  'стоп; отписаться; отписка; отмена',
  'стоп; відписатися; скасувати',
  'wypisz; wypisz mnie; rezygnuję; koniec',
  'dur; iptal; çık; aboneliği iptal et; üyelikten çık',
  'توقف; إيقاف; قف; إلغاء; إلغاء الاشتراك',
  'הפסק; עצור; הסר; הסירו אותי',
  'रोकें; बंद करें; रोको; बंद करो',
  'বন্ধ; বন্ধ করুন; থামুন',
  'بند کریں; روکیں',
  'berhenti; batal; henti; stop langganan',
  'dừng; hủy; hủy đăng ký; ngừng',
  'หยุด; ยกเลิก; เลิกรับ',
  '停止; 退订; 退訂; 取消订阅; 取消訂閱',
  '停止; 配信停止; 解除; ストップ',
  '중지; 수신거부; 그만; 구독취소',
  'σταμάτα; στοπ; διαγραφή; διακοπή',
  'zastavit; odhlásit; konec',
  'leiratkozás; leiratkozom; állj',
  'dezabonare; oprește; anulează',
  'avsluta; avregistrera; avanmäl',
  'afmeld; frameld',
  'lopeta; peruuta; peru',
  'acha; simama; sitisha; ondoa',
] as const;

/** Messages that take a "no more" back. */
const START = [
  'start; unstop; subscribe; opt in; optin; resume',
  'iniciar; voltar; começar; reativar',
  'empezar; alta; reanudar; suscribir',
  'démarrer; reprendre; commencer; réabonner',
  'starten; anmelden; weiter',
  'inizia; avvia; iscrivimi; riprendi',
  'aanmelden; hervatten; beginnen',
  'старт; начать; подписаться; возобновить',
  'старт; почати; підписатися',
  'zacznij; wznów; zapisz mnie',
  'başla; başlat; devam; abone ol',
  'ابدأ; بدء; اشتراك; استئناف',
  'התחל; הרשמה; חזור',
  'शुरू; शुरू करें; चालू करें',
  'শুরু; শুরু করুন; চালু করুন',
  'شروع کریں',
  'mulai; mula; lanjut; langganan',
  'bắt đầu; đăng ký; tiếp tục',
  'เริ่ม; สมัคร; รับต่อ',
  '开始; 開始; 订阅; 訂閱; 恢复',
  '開始; 再開; スタート; 登録',
  '시작; 재개; 구독; 수신동의',
  'έναρξη; ξεκίνα; εγγραφή',
  'zahájit; začít; přihlásit',
  'feliratkozás; indítás; feliratkozom',
  'abonare; începe; reia',
  'börja; återuppta; starta',
  'genoptag; tilmeld',
  'aloita; jatka; tilaa',
  'anza; endelea; jiunge',
] as const;

/** The words, in lists of one language or of languages that share them. */
export const CONSENT_WORDS = { stop: STOP.map(wordsIn), start: START.map(wordsIn) };

const STOP_WORDS = wordsOf(STOP);
const START_WORDS = wordsOf(START);
/** The longest is far shorter: a long text is not read at all. */
const MAX_CHARACTERS = 60;

/**
 * Whether a message as a whole says STOP or START in some language, apart from case, accents and punctuation. "Please
 * stop by tomorrow" says neither.
 */
export function consentWord(text: string): 'stop' | 'start' | null {
  if (text.length > MAX_CHARACTERS) return null;
  const written = foldedWords(text).join(' ');
  if (STOP_WORDS.has(written)) return 'stop';
  return START_WORDS.has(written) ? 'start' : null;
}

function wordsIn(line: string): readonly string[] {
  return line.split(';').map((word) => word.trim());
}

function wordsOf(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap(wordsIn).map((word) => foldedWords(word).join(' ')));
}
