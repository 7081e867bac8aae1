import pg from 'pg';
import { compiled } from './place.mjs';
import { output } from './program.mjs';

/** Databases of the walks on the server of TEST_DATABASE_URL. */
export class Databases {
  #names = [];
  #migrated = null;

  /** @returns the address of a new, empty one */
  async make(template = 'template1') {
    const name = `postrider_walk_${process.pid}_${this.#names.length}`;
    await administer(`create database ${name} template ${template}`);
    this.#names.push(name);
    const url = new URL(process.env.TEST_DATABASE_URL);
    url.pathname = `/${name}`;
    return url.href;
  }

  /** One whose schema is there already: most ways are not about how it is made. */
  async makeMigrated() {
    this.#migrated ??= await this.#migrate();
    return this.make(new URL(this.#migrated).pathname.slice(1));
  }

  async #migrate() {
    const url = await this.make();
    await output({ name: 'postrider migrate', command: [...compiled, 'migrate'], env: { DATABASE_URL: url } });
    return url;
  }

  async close() {
    for (const name of this.#names) await administer(`drop database ${name} with (force)`);
  }
}

async function administer(text) {
  const client = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
