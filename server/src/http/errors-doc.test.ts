import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { linkErrors } from '#accounts/domain/linking';
import { deliveryErrors, inboundMediaErrors } from '#core/delivery-errors';
import { apiErrors } from '#core/errors';
import { fallbackErrorRules, networkErrorRules } from '#core/network/network-errors';

const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');

/** The table rows below a heading, cell by cell. */
function rowsOf(heading: string): string[][] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.trim()),
    );
}

describe('docs/errors.md and the code', () => {
  test('every code of the API is described with its status and fault, and no other', () => {
    const described = rowsOf('Responses of the API').map(([code, status, fault]) => [code, status, fault]);
    const known = Object.entries(apiErrors).map(([code, rule]) => [`\`${code}\``, String(rule.status), rule.fault]);
    expect(described.toSorted()).toEqual(known.toSorted());
  });

  test('every code of a failed delivery is described, and no other', () => {
    const described = rowsOf('Failed deliveries').map(([code]) => code);
    expect(described.toSorted()).toEqual(
      Object.keys(deliveryErrors)
        .map((code) => `\`${code}\``)
        .toSorted(),
    );
  });

  test("every code of a customer's file is described, and no other", () => {
    const described = rowsOf("Customers' files").map(([code]) => code);
    const known = Object.keys(inboundMediaErrors).map((code) => `\`${code}\``);
    expect(described.toSorted()).toEqual(known.toSorted());
  });

  test('every code of a step of linking is described, and no other', () => {
    const described = rowsOf('Steps of linking').map(([code]) => code);
    const known = Object.keys(linkErrors).map((code) => `\`${code}\``);
    expect(described.toSorted()).toEqual(known.toSorted());
  });

  test('every refusal of the network is described with its number, fault, retry and sentence, and no other', () => {
    const rules = [...networkErrorRules, ...Object.values(fallbackErrorRules)];
    const known = rules.map(({ code, networkCode, fault, retryClass, sentence }) => {
      return [`\`${code}\``, networkCode < 0 ? '–' : String(networkCode), fault, retryClass, sentence];
    });
    expect(rowsOf('Errors of the network').toSorted()).toEqual(known.toSorted());
  });

  test('the guide names codes that exist, beside their own status', () => {
    const guide = readFileSync(new URL('../../../docs/guides/errors.md', import.meta.url), 'utf8');
    const rows = [...guide.matchAll(/^\| (\d{3}) +\| (.*?) +\|/gm)];
    expect(rows.length).toBeGreaterThan(8);
    for (const [, status, codes = ''] of rows) {
      const named = [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => code as keyof typeof apiErrors);
      expect(named.map((code) => [code, apiErrors[code]?.status])).toEqual(named.map((code) => [code, Number(status)]));
    }
  });

  test('every row says something in every cell', () => {
    const headings = [
      'Responses of the API',
      'Failed deliveries',
      "Customers' files",
      'Steps of linking',
      'Errors of the network',
    ];
    const sections = headings.map(rowsOf);
    expect(sections.filter((rows) => rows.length === 0)).toEqual([]);
    const cells = sections.flat(2);
    expect(cells.filter((cell) => cell.trim() === '')).toEqual([]);
  });
});
