import type { CallPlan } from './calls.ts';

// These tenants have several accounts; one is named in the tests beside the route.
const ofOneAccount: CallPlan = { status: 400 };

/** Reports of what the network counts. */
export const figureCalls: Readonly<Record<string, CallPlan>> = {
  getNetworkMessageAnalytics: ofOneAccount,
  getNetworkPricingAnalytics: ofOneAccount,
  getNetworkConversationAnalytics: ofOneAccount,
  getNetworkTemplateAnalytics: ofOneAccount,
};

const times = { from: null, to: null };
/** An account or a number of another tenant is refused like one of nobody: the tests beside the route see to it. */
const ofNumbers = { ...times, network_account_id: null, phone_number_id: null };

export const figureFilters: Readonly<Record<string, Readonly<Record<string, null>>>> = {
  getNetworkMessageAnalytics: ofNumbers,
  getNetworkPricingAnalytics: ofNumbers,
  getNetworkConversationAnalytics: ofNumbers,
  getNetworkTemplateAnalytics: { ...times, network_account_id: null, template: null },
};
