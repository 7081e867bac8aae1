import type { Category } from './template-store.ts';

/** A ready-made template of the network, as it lists it. */
export type LibraryEntry = {
  readonly id: string;
  readonly name: string;
  readonly language: string;
  readonly category: Category;
  readonly topic: string;
  readonly usecase: string;
  readonly industry: readonly string[];
  readonly header?: string;
  readonly body: string;
  /** Samples of the variables, in their order. */
  readonly body_params: readonly string[];
  readonly body_param_types: readonly string[];
  readonly buttons?: readonly LibraryButton[];
};

/** What stands in an address or a number is a sample: whoever takes the template gives another. */
export type LibraryButton =
  | { readonly type: 'URL'; readonly text: string; readonly url: string }
  | { readonly type: 'PHONE_NUMBER'; readonly text: string; readonly phone_number: string }
  | { readonly type: 'QUICK_REPLY'; readonly text: string };

const URL = 'https://www.example.com';
const PHONE = '+15550001111';

/** The network has some hundreds, in many languages; these few have each kind of part. */
export const LIBRARY: readonly LibraryEntry[] = [
  {
    id: '7100000000000001',
    name: 'delivery_on_its_way',
    language: 'en_US',
    category: 'UTILITY',
    topic: 'ORDER_MANAGEMENT',
    usecase: 'DELIVERY_UPDATE',
    industry: ['E_COMMERCE'],
    body: 'Hi {{1}}, order {{2}} is on its way to you and should arrive on {{3}}.',
    body_params: ['Ada', 'A-17', 'March 3'],
    body_param_types: ['TEXT', 'TEXT', 'DATE'],
    buttons: [{ type: 'URL', text: 'Follow the parcel', url: URL }],
  },
  {
    id: '7100000000000002',
    name: 'delivery_on_its_way',
    language: 'es',
    category: 'UTILITY',
    topic: 'ORDER_MANAGEMENT',
    usecase: 'DELIVERY_UPDATE',
    industry: ['E_COMMERCE'],
    body: 'Hola, {{1}}: el pedido {{2}} va en camino y debería llegar el {{3}}.',
    body_params: ['Ada', 'A-17', '3 de marzo'],
    body_param_types: ['TEXT', 'TEXT', 'DATE'],
    buttons: [{ type: 'URL', text: 'Seguir el paquete', url: URL }],
  },
  {
    id: '7100000000000003',
    name: 'ready_for_collection',
    language: 'en_US',
    category: 'UTILITY',
    topic: 'ORDER_MANAGEMENT',
    usecase: 'ORDER_PICK_UP',
    industry: ['E_COMMERCE'],
    header: 'Ready to collect',
    body: 'Your order {{1}} waits for you at {{2}}. Bring this message with you.',
    body_params: ['A-17', '1 Main Street'],
    body_param_types: ['TEXT', 'ADDRESS'],
    buttons: [
      { type: 'URL', text: 'Find the way', url: URL },
      { type: 'PHONE_NUMBER', text: 'Call the shop', phone_number: PHONE },
    ],
  },
  {
    id: '7100000000000004',
    name: 'payment_received',
    language: 'en_US',
    category: 'UTILITY',
    topic: 'PAYMENTS',
    usecase: 'PAYMENT_CONFIRMATION',
    industry: ['E_COMMERCE', 'FINANCIAL_SERVICES'],
    header: 'Payment received',
    body: 'We received your payment of {{1}} for invoice {{2}}. Thank you.',
    body_params: ['$25.00', 'R-1042'],
    body_param_types: ['AMOUNT', 'TEXT'],
  },
  {
    id: '7100000000000005',
    name: 'payment_due',
    language: 'en_US',
    category: 'UTILITY',
    topic: 'PAYMENTS',
    usecase: 'AUTO_PAY_REMINDER',
    industry: ['FINANCIAL_SERVICES'],
    // A variable at an end: the network's own templates may have what others may not.
    body: '{{1}}, your payment of {{2}} is due on {{3}}',
    body_params: ['Ada', '$25.00', 'March 3'],
    body_param_types: ['TEXT', 'AMOUNT', 'DATE'],
    buttons: [{ type: 'PHONE_NUMBER', text: 'Call us', phone_number: PHONE }],
  },
  {
    id: '7100000000000006',
    name: 'how_was_it',
    language: 'en_US',
    category: 'UTILITY',
    topic: 'CUSTOMER_FEEDBACK',
    usecase: 'FEEDBACK_SURVEY',
    industry: ['E_COMMERCE', 'FINANCIAL_SERVICES'],
    body: 'You were with us on {{1}}. How was it?',
    body_params: ['March 3'],
    body_param_types: ['DATE'],
    buttons: [
      { type: 'QUICK_REPLY', text: 'Good' },
      { type: 'QUICK_REPLY', text: 'Not so good' },
    ],
  },
];
