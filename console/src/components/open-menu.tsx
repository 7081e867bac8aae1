import { Menu } from '@base-ui/react/menu';
import { Fragment } from 'react';
import type { MenuButtonProps } from './menu-button.tsx';

export type OpenMenuProps = MenuButtonProps;

/** The menu of a button; it begins open. */
export function OpenMenu({ label, className, children, entries, side = 'bottom', align = 'start' }: OpenMenuProps) {
  return (
    <Menu.Root defaultOpen modal={false}>
      <Menu.Trigger aria-label={label} title={label} className={className}>
        {children}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner side={side} align={align} sideOffset={4} className="z-20 outline-none">
          <Menu.Popup className="popup scroll-area max-h-[min(26rem,var(--available-height))] min-w-44 p-1">
            {entries.map(({ id, label: text, hint, beginsGroup, run }) => (
              <Fragment key={id}>
                {beginsGroup && <Menu.Separator className="-mx-1 my-1 h-px bg-line" />}
                <Menu.Item
                  onClick={run}
                  className="flex h-control cursor-pointer items-center gap-3 rounded px-2.5 text-sm outline-none select-none data-[highlighted]:bg-selected"
                >
                  <span className="min-w-0 grow truncate">{text}</span>
                  {hint !== undefined && hint !== null && <span className="shrink-0 text-xs text-muted">{hint}</span>}
                </Menu.Item>
              </Fragment>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
