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
import { type AfterSignIn, isAfterSignIn } from './people/after-sign-in.ts';
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
/** Where somebody goes who signs in again. */
interface SignInSearch {
  readonly after?: AfterSignIn;
}
const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: ({ after }: { after?: unknown } & SearchSchemaInput): SignInSearch =>
    isAfterSignIn(after) ? { after } : {},
  component: lazyRouteComponent(() => import('../features/sign-in/sign-in.tsx'), 'SignIn'),
});
const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: 'shell', component: Shell });

/** The address says what is shown: it can be copied, and comes back with the page. */
interface InboxSearch {
  readonly view?: ViewName;
  /** The message or note of the conversation that is shown with what stands around it. */
  readonly message?: string;
}
const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const readSearch = ({ view, message }: { view?: unknown; message?: unknown } & SearchSchemaInput): InboxSearch => ({
  ...(isViewName(view) ? { view } : {}),
  ...(typeof message === 'string' && ID.test(message) ? { message: message.toLowerCase() } : {}),
});
const inboxRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/inbox',
  validateSearch: readSearch,
  component: Inbox,
});
const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('../features/account/account.tsx'), 'Account'),
});
const conversationRoute = createRoute({ getParentRoute: () => inboxRoute, path: '$conversationId' });

const teamRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings/team',
  component: lazyRouteComponent(() => import('../features/team/team.tsx'), 'Team'),
});

const ssoRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings/sso',
  component: lazyRouteComponent(() => import('../features/sso/sso.tsx'), 'Sso'),
});

/** A text that looks like a number or another value comes as one. */
const readQuery = ({ q }: { q?: unknown } & SearchSchemaInput): { readonly q?: string } =>
  q === undefined || q === null || q === '' ? {} : { q: typeof q === 'object' ? JSON.stringify(q) : String(q) };
const searchRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/search',
  validateSearch: readQuery,
  component: lazyRouteComponent(() => import('../features/search/search.tsx'), 'Search'),
});

const routeTree = rootRoute.addChildren([
  startRoute,
  signInRoute,
  shellRoute.addChildren([accountRoute, inboxRoute.addChildren([conversationRoute]), searchRoute, ssoRoute, teamRoute]),
]);

export const router = createRouter({ routeTree, defaultPreload: false, scrollRestoration: false });

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
