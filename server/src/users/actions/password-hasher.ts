import { hash, verify } from '@node-rs/argon2';
import { ApiProblem } from '#core/errors';

/** What OWASP recommends for Argon2id; about 25 ms and 19 MiB for each. The value of the algorithm's name in the library. */
const SETTINGS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Each takes a thread of the few that also read files and resolve names. */
const MAX_RUNNING = 2;
/** About a second of work: who comes then is better asked to come again. */
const MAX_WAITING = 64;
/** Of a random password that nobody kept: who has none is answered after as much work as who has one. */
const NOBODYS = '$argon2id$v=19$m=19456,t=2,p=1$UPGK+OFW5MNSNcOL94fnGA$PXAfaA+FdB274AQDl0pQejRa/ScIHYQmtn4XMdbHoic';

/** Hashes passwords, and compares them with hashes, few at a time. */
export interface PasswordHasher {
  /** @param password normalized. @returns the PHC form. @throws ApiProblem overloaded when too many wait */
  hash(password: string): Promise<string>;
  /**
   * @param known null: there is no such person, or they have no password; it takes as long all the same
   * @throws ApiProblem overloaded when too many wait
   */
  matches(known: string | null, password: string): Promise<boolean>;
}

/** The hasher of one process. */
export function makePasswordHasher(): PasswordHasher {
  const line = makeLine();
  return {
    hash: (password) => line(() => hash(password, SETTINGS)),
    matches: async (known, password) => {
      const isRight = await line(() => verify(known ?? NOBODYS, password));
      return isRight && known !== null;
    },
  };
}

/** Runs a few of the works that are handed in at a time; the others wait in the order in which they came. */
function makeLine(): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= MAX_RUNNING) {
      if (waiting.length >= MAX_WAITING) throw new ApiProblem('overloaded');
      // Who ends hands its place over, so that nobody who comes later can take it.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
