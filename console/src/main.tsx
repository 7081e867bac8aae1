import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BegunContext } from './app/live.tsx';
import { queryClient } from './app/queries.ts';
import { router } from './app/router.tsx';
import { type Begun, beginInbox } from './app/start/begin.ts';
import './styles/app.css';

const root = document.getElementById('app');
if (root === null) throw new Error('The page has no place for the console.');

function draw(place: HTMLElement, begun: Begun | null): void {
  createRoot(place).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queryClient}>
          <BegunContext value={begun}>
            <RouterProvider router={router} />
          </BegunContext>
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  );
}

void beginInbox(location)
  .catch(() => null)
  .then((begun) => draw(root, begun));
