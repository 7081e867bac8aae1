import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** Whether the plan of its country has this number. @param phone digits only, with the country code */
export function isInNumberPlan(phone: string): boolean {
  return parsePhoneNumberFromString(`+${phone}`)?.isValid() ?? false;
}

/** Whether there are numbers of this country. @param code ISO 3166, two capital letters */
export function hasNumbers(code: string): boolean {
  return isSupportedCountry(code);
}

/** ISO 3166 code of the country that a number belongs to; null when it belongs to none. @param phone digits only */
export function countryOf(phone: string): string | null {
  return parsePhoneNumberFromString(`+${phone}`)?.country ?? null;
}

/** The digits that numbers of a country begin with; empty when there are no numbers of it. @param code ISO 3166, two capital letters */
export function callingCodeOf(code: string): string {
  return isSupportedCountry(code) ? getCountryCallingCode(code) : '';
}
