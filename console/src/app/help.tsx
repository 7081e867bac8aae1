import { Keys } from '../components/keys.tsx';
import { Panel } from '../components/panel.tsx';
import { t } from '../locales/text.ts';
import type { AppCommand } from './command-registry.ts';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly commands: readonly AppCommand[];
}

/** Every key, by what it belongs to. */
export function Help({ isOpen, onClose, commands }: Props) {
  const withKeys = commands.filter(({ key }) => key !== undefined);
  const groups = [...new Set(withKeys.map(({ group }) => group))];
  return (
    <Panel isOpen={isOpen} onClose={onClose} title={t('help.title')}>
      <div className="grid gap-x-8 gap-y-5 p-5 sm:grid-cols-2">
        {groups.map((group) => (
          <section key={group}>
            <h3 className="mb-1.5 text-xs font-semibold text-muted">{t(group)}</h3>
            <dl>
              {withKeys
                .filter((command) => command.group === group)
                .map(({ id, name, key = '' }) => (
                  <div key={id} className="flex items-center justify-between gap-4 py-1">
                    <dt>{name}</dt>
                    <dd>
                      <Keys of={key} />
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Panel>
  );
}
