// Loaded before each test file. Properties try the same cases in every run: what a run says of a change must not hang on what
// it drew. PROPERTY_SEED=<number> draws others.
import fc from 'fast-check';

const DEFAULT_SEED = 1;
const given = process.env.PROPERTY_SEED || DEFAULT_SEED;
const seed = Number(given);
if (!Number.isInteger(seed)) throw new Error(`PROPERTY_SEED is a whole number, not "${given}".`);
// Without it the longest list and text that a property tries has ten elements, whatever its `maxLength`.
fc.configureGlobal({ seed, baseSize: 'medium' });
