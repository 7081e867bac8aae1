import { type ComponentType, type ReactNode, useState } from 'react';
import type { OpenMenuProps } from './open-menu.tsx';

export interface MenuEntry {
  readonly id: string;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** A line is drawn above it. */
  readonly beginsGroup?: boolean;
  readonly run: () => void;
}

export interface MenuButtonProps {
  /** What is read out, where the button shows no words. */
  readonly label?: string;
  readonly className: string;
  readonly children: ReactNode;
  readonly entries: readonly MenuEntry[];
  readonly side?: 'top' | 'bottom';
  readonly align?: 'start' | 'end';
}

const load = () => import('./open-menu.tsx');

/** A button that opens a menu. What menus are made of is loaded when somebody is about to open the first one. */
export function MenuButton(props: MenuButtonProps) {
  const [Opened, setOpened] = useState<ComponentType<OpenMenuProps> | null>(null);
  if (Opened !== null) return <Opened {...props} />;
  const open = () => void load().then(({ OpenMenu }) => setOpened(() => OpenMenu));
  return (
    <button
      type="button"
      aria-label={props.label}
      title={props.label}
      aria-haspopup="menu"
      aria-expanded="false"
      className={props.className}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={open}
    >
      {props.children}
    </button>
  );
}
