/* For tests of programs that use Postrider: `@postrider/sdk/testing`. It runs in Node. */
export { FAULTS, type FailureOptions, type Fault, type FaultOptions, STEPS, type Step } from './faults.ts';
export { type PostriderOptions, type RunningPostrider, startPostrider } from './postrider.ts';
export {
  type CustomerBehavior,
  type CustomerMessage,
  type ReceivedMessage,
  type ReceivedOptions,
  type ReceivedQuery,
  Simulator,
  type SimulatorOptions,
  startSimulator,
} from './simulator.ts';
