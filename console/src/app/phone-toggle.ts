import { createContext, useContext } from 'react';

/** Shows or hides the simulated phone; null where the network is a real one. */
export const PhoneToggleContext = createContext<{ readonly isOpen: boolean; readonly toggle: () => void } | null>(null);

export const usePhoneToggle = () => useContext(PhoneToggleContext);
