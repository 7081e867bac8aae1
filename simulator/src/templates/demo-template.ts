import { DEFAULT_WABA_ID } from '../numbers.ts';
import type { Simulation } from '../simulation.ts';
import { enterStatus } from './template-store.ts';

/** The template of the documentation, approved: what a newcomer can send to somebody who has not written. */
export function addDemoTemplate(sim: Simulation): void {
  const wish = {
    id: sim.ids.mediaId(),
    wabaId: DEFAULT_WABA_ID,
    name: 'order_ready',
    language: 'en_US',
    definition: {
      category: 'UTILITY',
      parameterFormat: 'NAMED',
      components: [
        {
          type: 'BODY',
          text: 'Hello {{first_name}}, your order {{order_no}} is ready.',
          example: {
            body_text_named_params: [
              { param_name: 'first_name', example: 'Ada' },
              { param_name: 'order_no', example: 'A-17' },
            ],
          },
        },
      ],
      ttlSeconds: null,
    },
  } as const;
  enterStatus(sim.templates.add(wish, sim.clock.now()), 'APPROVED');
}
