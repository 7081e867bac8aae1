import { QueryClient } from '@tanstack/react-query';
import { refusalStatus } from './api.ts';

/** The SDK already repeats what may succeed the next time, so each of these is several requests. */
const TRIES = 2;

/** Without a network a request fails, and the screen says so; otherwise it would wait without a word. */
const networkMode = 'always';

/** What screens ask for. What the service refuses is not asked again; what it did not answer is. */
export const queryClient = new QueryClient({
  defaultOptions: {
    mutations: { networkMode },
    queries: {
      networkMode,
      retry: (failures, error) => refusalStatus(error) === null && failures < TRIES,
      refetchOnWindowFocus: false,
    },
  },
});
