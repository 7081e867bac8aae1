import { Camera, Paperclip } from 'lucide-react';
import { type ChangeEvent, useMemo, useRef } from 'react';
import { useCommands } from '../../../app/commands.tsx';
import { ACCEPTED_TYPES } from '../../../app/composing/media-types.ts';
import { IconButton } from '../../../components/button.tsx';
import { t } from '../../../locales/text.ts';

/** Only a telephone has a camera that the browser opens in place of the file picker. */
const hasCamera = matchMedia('(pointer: coarse)').matches;

/** Chooses files, or takes a picture. */
export function AttachButtons({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  useCommands(
    useMemo(
      () => [
        {
          id: 'attach',
          name: t('attach.choose'),
          group: 'group.conversation',
          key: 'u',
          run: () => picker.current?.click(),
        },
      ],
      [],
    ),
  );
  const take = ({ target }: ChangeEvent<HTMLInputElement>) => {
    onFiles([...(target.files ?? [])]);
    // The same file can be chosen again.
    target.value = '';
  };
  return (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        accept={ACCEPTED_TYPES}
        aria-label={t('attach.choose')}
        onChange={take}
      />
      <IconButton label={t('attach.choose')} onClick={() => picker.current?.click()}>
        <Paperclip size={17} aria-hidden="true" />
      </IconButton>
      {hasCamera && (
        <>
          <input ref={camera} type="file" hidden accept="image/*" capture="environment" onChange={take} />
          <IconButton label={t('attach.camera')} onClick={() => camera.current?.click()}>
            <Camera size={17} aria-hidden="true" />
          </IconButton>
        </>
      )}
    </>
  );
}
