import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { t } from '../../locales/text.ts';
import { Done } from './section.tsx';

interface Props {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

const FILE = 'postrider-recovery-codes.txt';

/** Recovery codes, in the only moment in which they can be seen. */
export function RecoveryCodes({ codes, onDone }: Props) {
  const [isCopied, setCopied] = useState(false);
  const text = `${codes.join('\n')}\n`;
  // Pages that were not served safely have no clipboard.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  const copy = async () => {
    await clipboard?.writeText(text);
    setCopied(true);
  };
  return (
    <div className="mt-4 rounded-lg border border-line bg-surface p-4">
      <h3 className="text-sm font-semibold">{t('recovery.title')}</h3>
      <p className="mt-1 text-sm text-pretty text-muted">{t('recovery.why')}</p>
      <ol className="my-3 grid grid-cols-1 gap-x-6 gap-y-1 font-mono text-sm sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2">
        {clipboard !== undefined && <Button onClick={() => void copy()}>{t('recovery.copy')}</Button>}
        <Button onClick={() => download(text)}>{t('recovery.download')}</Button>
        <Button look="primary" onClick={onDone}>
          {t('recovery.done')}
        </Button>
      </div>
      {isCopied && <Done text={t('recovery.copied')} />}
    </div>
  );
}

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = FILE;
  link.click();
  URL.revokeObjectURL(url);
}
