import { useNavigate } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import type { AppCommand } from '../../app/command-registry.ts';
import { t } from '../../locales/text.ts';

interface Actions {
  readonly add: () => void;
  readonly addTeam: () => void;
}

/** What the palette offers on the page of the team. */
export function useTeamCommands(mayChange: boolean, actions: Actions): readonly AppCommand[] {
  const navigate = useNavigate();
  const current = useRef(actions);
  current.current = actions;
  return useMemo<readonly AppCommand[]>(() => {
    const group = 'group.general' as const;
    const always = [
      { id: 'inbox', name: t('lost.action'), group, key: 'g i', run: () => void navigate({ to: '/inbox' }) },
    ];
    if (!mayChange) return always;
    return [
      { id: 'team-add', name: t('team.add'), group, run: () => current.current.add() },
      { id: 'teams-add', name: t('teams.add'), group, run: () => current.current.addTeam() },
      ...always,
    ];
  }, [mayChange, navigate]);
}
