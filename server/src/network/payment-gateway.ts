import Stripe from 'stripe';
import { Agent, fetch } from 'undici';
import { readCheckout, readSubscriptionStatus } from '#billing/domain/payment-event';
import { type FoundCheckout, gatewayUnits, type OpenedCheckout, type PaymentGateway } from '#billing/domain/top-up';
import { cutText, toSafeJson, toSafeText } from '#core/json';
import type { Config } from '#runtime/config';
import { makeNameLookup } from '#runtime/name-lookup';

/** For each try, from the question to the last byte of its answer. Somebody waits for the page to pay on. */
const DEADLINE_MS = 10_000;
const MAX_REASON = 500;
/** Safe, because each request that changes something carries the id of its top-up as its key. */
const RETRIES = 1;

function makeStripe(config: Config, deadlineMs: number): Stripe {
  const { protocol, hostname, port } = new URL(config.stripeUrl);
  const dispatcher = new Agent({ connect: { lookup: makeNameLookup(config) } });
  const fetching = ((...[address, init]: Parameters<typeof fetch>) =>
    fetch(address, { ...init, dispatcher })) as unknown as typeof globalThis.fetch;
  return new Stripe(config.stripeKey, {
    host: hostname,
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
    protocol: protocol === 'http:' ? 'http' : 'https',
    timeout: deadlineMs,
    // The library's other client takes the time between two bytes.
    httpClient: Stripe.createFetchHttpClient(fetching),
    maxNetworkRetries: RETRIES,
    telemetry: false,
  });
}

/**
 * The payment gateway through Stripe's own library.
 * @returns null when no gateway is set up: payments are then refused
 */
export function makePaymentGateway(config: Config, deadlineMs = DEADLINE_MS): PaymentGateway | null {
  if (config.stripeKey === '') return null;
  const stripe = makeStripe(config, deadlineMs);
  return {
    openCheckout: async ({ tenantId, topUpId, amount, currency }) => {
      const price = {
        currency: currency.toLowerCase(),
        unit_amount: amount * gatewayUnits(currency),
        product_data: { name: 'Messaging credit' },
      };
      const metadata = { tenant_id: tenantId, topup_id: topUpId };
      try {
        const session = await stripe.checkout.sessions.create(
          {
            mode: 'payment',
            line_items: [{ quantity: 1, price_data: price }],
            client_reference_id: topUpId,
            metadata,
            // The gateway passes these on to the charge, by which a refund is reported.
            payment_intent_data: { metadata },
            success_url: config.paymentReturnUrl,
            cancel_url: config.paymentReturnUrl,
          },
          { idempotencyKey: topUpId },
        );
        return session.url === null
          ? { kind: 'unavailable', reason: 'The gateway named no page to pay on.' }
          : { kind: 'opened', sessionId: toSafeText(session.id), url: toSafeText(session.url) };
      } catch (error) {
        return openingFailure(error);
      }
    },
    findCheckout: async (sessionId) => {
      try {
        const report = readCheckout(toSafeJson(await stripe.checkout.sessions.retrieve(sessionId)) as never);
        return report === null ? { kind: 'unknown' } : { kind: 'found', report };
      } catch (error) {
        return findingFailure(error);
      }
    },
    findSubscription: async (gatewayId) => {
      try {
        const { status } = await stripe.subscriptions.retrieve(gatewayId);
        return { kind: 'found', status: readSubscriptionStatus(status) };
      } catch (error) {
        return findingFailure(error);
      }
    },
  };
}

function openingFailure(error: unknown): OpenedCheckout {
  const reason = reasonOf(error);
  return error instanceof Stripe.errors.StripeInvalidRequestError
    ? { kind: 'refused', reason }
    : { kind: 'unavailable', reason };
}

function findingFailure(error: unknown): Exclude<FoundCheckout, { kind: 'found' }> {
  const missing = error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
  return missing ? { kind: 'unknown' } : { kind: 'unavailable', reason: reasonOf(error) };
}

function reasonOf(error: unknown): string {
  return cutText(error instanceof Error ? error.message : String(error), MAX_REASON);
}
