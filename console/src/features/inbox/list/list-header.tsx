import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Smartphone } from 'lucide-react';
import { memo, useMemo } from 'react';
import { Bell } from '../../../app/bell.tsx';
import { useCommands } from '../../../app/commands.tsx';
import { usePhoneToggle } from '../../../app/phone-toggle.ts';
import { countsQuery } from '../../../app/resources.ts';
import { SearchLink } from '../../../app/search-commands.tsx';
import type { View, ViewName } from '../../../app/views.ts';
import { IconButton } from '../../../components/button.tsx';
import { MenuButton } from '../../../components/menu-button.tsx';
import { t } from '../../../locales/text.ts';
import { LineState } from './line-state.tsx';
import { MeMenu } from './me-menu.tsx';

interface Props {
  readonly views: readonly View[];
  readonly view: View;
  readonly onShow: (name: ViewName) => void;
}

/** Which view is shown; where there is no sidebar, it is chosen here. */
export const ListHeader = memo(function Header({ views, view, onShow }: Props) {
  const { data: counts } = useQuery(countsQuery);
  const phone = usePhoneToggle();
  const countOf = (one: View) => (counts === undefined ? null : one.count(counts));
  useCommands(
    useMemo(
      () =>
        views.map((one, place) => ({
          id: `view-${one.name}`,
          name: t('command.show', { view: one.title }),
          group: 'group.list',
          key: `g ${place + 1}`,
          run: () => onShow(one.name),
        })),
      [views, onShow],
    ),
  );
  return (
    <header className="flex h-12 shrink-0 items-center gap-1 border-b border-line ps-2 pe-1 xl:ps-4">
      <h2 className="hidden text-base font-semibold xl:block">{view.title}</h2>
      <MenuButton
        className="flex h-control items-center gap-1 rounded-md px-2 font-semibold hover:bg-hover data-[popup-open]:bg-hover xl:hidden"
        entries={views.map((one) => ({
          id: one.name,
          label: one.title,
          hint: countOf(one),
          run: () => onShow(one.name),
        }))}
      >
        {view.title}
        <ChevronDown size={16} aria-hidden="true" className="text-muted" />
      </MenuButton>
      <span className="text-sm text-muted tabular-nums">{countOf(view)}</span>
      <div className="ms-auto flex items-center">
        <div className="flex items-center xl:hidden">
          <LineState isShort />
          <SearchLink isShort />
        </div>
        <Bell />
        {phone && (
          <IconButton
            label={t(phone.isOpen ? 'phone.hide' : 'phone.show')}
            aria-pressed={phone.isOpen}
            onClick={phone.toggle}
          >
            <Smartphone size={17} aria-hidden="true" />
          </IconButton>
        )}
        <div className="xl:hidden">
          <MeMenu isShort />
        </div>
      </div>
    </header>
  );
});
