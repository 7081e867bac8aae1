/** `phoneKey` of core/phone/phone-key.ts as an expression: a test compares the two. @param column holds digits, or a user id */
export function phoneKeySql(column: string): string {
  return `case when ${column} ~ '^55[1-9][1-9][6-9][0-9]{7}$' then left(${column}, 4) || '9' || substr(${column}, 5)
      when ${column} ~ '^521[0-9]{10}$' then '52' || substr(${column}, 4)
      when ${column} ~ '^549[0-9]{10}$' then '54' || substr(${column}, 4) else ${column} end`;
}

/** `identityKind` of core/phone/recipient.ts as an expression: which identity of a contact a recipient is. */
export function identityKindSql(column: string): string {
  return `case when strpos(${column}, '.') > 0 then 'user_id' else 'phone' end`;
}

/** The other spelling of a key, as `phoneSpellings` has it; the key itself when there is none. */
export function otherSpellingSql(column: string): string {
  return `case when ${column} ~ '^55[1-9][1-9]9[6-9][0-9]{7}$' then left(${column}, 4) || substr(${column}, 6)
      when ${column} ~ '^52[0-9]{10}$' then '521' || substr(${column}, 3)
      when ${column} ~ '^54[0-9]{10}$' then '549' || substr(${column}, 3) else ${column} end`;
}
