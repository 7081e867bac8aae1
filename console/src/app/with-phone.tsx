import { useParams } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { t } from '../locales/text.ts';
import { useCommands } from './commands.tsx';
import { useLive } from './live.tsx';
import { PhoneToggleContext } from './phone-toggle.ts';
import { reach, reachByEvents } from './steps.ts';

const Phone = lazy(async () => ({ default: (await import('../features/phone/phone.tsx')).Phone }));
const Steps = lazy(async () => ({ default: (await import('../features/first-minute/steps.tsx')).Steps }));

/** Below this there is no room for a phone beside the inbox: it begins put away. */
const WIDE = '(min-width: 1200px)';

/** The page with the simulated customer's phone at its side, and what to try with it. */
export function WithPhone({ children }: { readonly children: ReactNode }) {
  const live = useLive();
  const { conversationId: chosen = null } = useParams({ strict: false });
  const conversationId = useDeferredValue(chosen);
  const [isOpen, setOpen] = useState(() => matchMedia(WIDE).matches);
  const toggle = useMemo(() => ({ isOpen, toggle: () => setOpen(!isOpen) }), [isOpen]);
  useEffect(() => live.onEvents(reachByEvents), [live]);
  useEffect(() => {
    if (conversationId !== null) reach('arrive');
  }, [conversationId]);
  useCommands(
    useMemo(
      () => [
        {
          id: 'phone',
          name: t(toggle.isOpen ? 'phone.hide' : 'phone.show'),
          group: 'group.general',
          key: 'p',
          run: toggle.toggle,
        },
      ],
      [toggle],
    ),
  );
  return (
    <PhoneToggleContext value={toggle}>
      {children}
      {isOpen && (
        <aside className="fixed inset-y-0 end-0 z-20 flex w-full flex-col border-s border-line bg-surface shadow-pop sm:w-80 xl:static xl:w-76 xl:shrink-0 xl:shadow-none 2xl:w-80">
          <Suspense>
            <Steps />
            <Phone conversationId={conversationId} onClose={() => setOpen(false)} />
          </Suspense>
        </aside>
      )}
    </PhoneToggleContext>
  );
}
