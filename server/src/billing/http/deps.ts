import type { PaymentGateway } from '#billing/domain/top-up';

declare module '#http/deps' {
  interface HttpDeps {
    /** Where money is paid into wallets; null: nowhere. */
    readonly payments: PaymentGateway | null;
  }
}
