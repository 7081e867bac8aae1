import { createContext, useContext } from 'react';
import type { Me } from './resources.ts';

export const MeContext = createContext<Me | null>(null);

/** Who is signed in. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (me === null) throw new Error('Nobody is signed in here.');
  return me;
}
