import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** Whether the plan of its country has this number. @param phone digits only, with the country code */
export function isInNumberPlan(phone: string): boolean {
  return parsePhoneNumberFromString(`+${phone}`)?.isValid() ?? false;
}
