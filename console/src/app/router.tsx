import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type SearchSchemaInput,
} from '@tanstack/react-router';
import { Inbox } from '../features/inbox/inbox.tsx';
import { Lost } from './lost.tsx';
import { Shell } from './shell.tsx';
import { isViewName, type ViewName } from './views.ts';

const rootRoute = createRootRoute({ notFoundComponent: Lost });
const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/inbox', replace: true });
  },
});
const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('../features/sign-in/sign-in.tsx'), 'SignIn'),
});
const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: 'shell', component: Shell });

/** The address says what is shown: it can be copied, and comes back with the page. */
interface InboxSearch {
  readonly view?: ViewName;
}
const readSearch = ({ view }: { view?: unknown } & SearchSchemaInput): InboxSearch =>
  isViewName(view) ? { view } : {};
const inboxRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/inbox',
  validateSearch: readSearch,
  component: Inbox,
});
const conversationRoute = createRoute({ getParentRoute: () => inboxRoute, path: '$conversationId' });

const routeTree = rootRoute.addChildren([
  startRoute,
  signInRoute,
  shellRoute.addChildren([inboxRoute.addChildren([conversationRoute])]),
]);

export const router = createRouter({ routeTree, defaultPreload: false, scrollRestoration: false });

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
