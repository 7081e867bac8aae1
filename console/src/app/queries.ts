import { QueryClient } from '@tanstack/react-query';
import { refusalStatus } from './api.ts';

/** Each of them is several requests: the SDK repeats by itself what can help. */
const TRIES = 2;

/** What screens ask for. What the service refuses is not asked again; what it did not answer is. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => refusalStatus(error) === null && failures < TRIES,
      refetchOnWindowFocus: false,
    },
  },
});
