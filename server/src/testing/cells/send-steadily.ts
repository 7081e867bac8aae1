import { callApi, type TestService } from '#testing/test-service';
import type { CellTenant } from './test-cells.ts';

/** Each to somebody else: the network sees from the number which message it is. */
export function messageTo(n: number) {
  const template = { name: 'order_shipped', language: 'en' };
  return { type: 'template', to: `4477010${String(n).padStart(5, '0')}`, template };
}

/** The idempotency key of a message that `sendSteadily` sent. */
export function keyOf(name: string, n: number): string {
  return `${name}-${n}`;
}

/** Sends until told to stop, each message with a key of its own, repeating what is answered 503. */
export function sendSteadily(kit: TestService, tenant: CellTenant, name: string) {
  const sent = new Map<string, string>();
  const refusals: { readonly code: string; readonly retryAfter: string | null }[] = [];
  let isOver = false;
  let failure: Error | null = null;
  const done = (async () => {
    for (let n = 0; !isOver; n += 1) {
      const key = keyOf(name, n);
      for (;;) {
        const answer = await callApi(kit.service.url, 'POST', '/v1/messages', messageTo(n), {
          authorization: `Bearer ${tenant.key}`,
          'idempotency-key': key,
        });
        if (answer.status === 202) {
          sent.set(messageTo(n).to, answer.body.id);
          break;
        }
        if (answer.status !== 503) throw new Error(`${answer.status} ${answer.text}`);
        refusals.push({ code: answer.body.code, retryAfter: answer.headers.get('retry-after') });
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  })();
  // Whoever waits for more to be sent must learn that nothing is.
  done.catch((error: Error) => {
    failure = error;
  });
  return {
    sent,
    refusals,
    count: async () => {
      if (failure !== null) throw failure;
      return sent.size;
    },
    stop: async () => {
      isOver = true;
      await done;
    },
  };
}
