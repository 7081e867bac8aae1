import { useMemo } from 'react';
import { useCommands } from '../../../app/commands.tsx';
import { UNDO_SECONDS, useSetUndoSeconds } from '../../../app/composing/undo-setting.ts';
import { t } from '../../../locales/text.ts';

export type Mode = 'reply' | 'note';

interface Actions {
  readonly field: { readonly current: HTMLTextAreaElement | null };
  readonly setMode: (mode: Mode) => void;
  readonly pickTemplate: () => void;
}

/** What the composer can do, for keys and the palette. The functions must be stable. */
export function useComposerCommands({ field, setMode, pickTemplate }: Actions): void {
  const setUndo = useSetUndoSeconds();
  useCommands(
    useMemo(() => {
      const into = (mode: Mode) => () => {
        setMode(mode);
        field.current?.focus();
      };
      return [
        { id: 'reply', name: t('command.reply'), group: 'group.conversation', key: 'r', run: into('reply') },
        { id: 'note', name: t('command.note'), group: 'group.conversation', key: 'n', run: into('note') },
        { id: 'template', name: t('template.choose'), group: 'group.conversation', key: 't', run: pickTemplate },
        ...UNDO_SECONDS.map((seconds) => ({
          id: `undo-${seconds}`,
          name: seconds === 0 ? t('undo.off') : t('undo.set', { count: seconds }),
          group: 'group.general' as const,
          run: () => setUndo(seconds),
        })),
      ];
    }, [field, setMode, pickTemplate, setUndo]),
  );
}
