const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent);
const NAMES: Readonly<Record<string, string>> = {
  Mod: isMac ? '⌘' : 'Ctrl',
  Enter: '⏎',
  Escape: 'Esc',
  ArrowDown: '↓',
};

/** A key, or keys that are pressed together or one after the other. */
export function Keys({ of }: { readonly of: string }) {
  const keys = of.split(/[ +]/);
  return (
    <span className="flex gap-1">
      {keys.map((key) => (
        <kbd
          key={key}
          className="inline-grid h-5 min-w-5 place-items-center rounded border border-line-strong bg-surface px-1 font-sans text-2xs text-muted"
        >
          {NAMES[key] ?? key.toUpperCase()}
        </kbd>
      ))}
    </span>
  );
}
