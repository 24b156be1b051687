import type { Pool } from 'pg'

export interface CaughtMail {
  id: number
  from: string
  to: string
  subject: string
  text: string
  html: string
  /** By their names in lower case. */
  headers: Record<string, string>
  receivedAt: string
}

type Caught = Omit<CaughtMail, 'id' | 'receivedAt'>

/** What was mailed while there is no mail server, kept in PostgreSQL: whichever node is asked shows all of it. */
export interface CaughtMails {
  keep(mail: Caught): Promise<void>
  /** Newest first. */
  all(): Promise<CaughtMail[]>
}

/** How many are kept, and for how long: they hold private links. */
const most = 200
const longest = '1 day'

// One transaction, in which nodes that start at once take turns. Unlogged: what a crash of PostgreSQL loses here
// was delivered to nobody.
const schema = `
  select pg_advisory_xact_lock(727278);
  create schema if not exists caught_mails;
  create unlogged table if not exists caught_mails.mails (
    id bigserial primary key, mail json not null, received_at timestamptz not null default now());
  delete from caught_mails.mails where received_at < now() - interval '${longest}'`

export async function openCaughtMails(pool: Pool): Promise<CaughtMails> {
  await pool.query(schema)
  return {
    async keep(mail) {
      await pool.query(
        `with kept as (insert into caught_mails.mails (mail) values ($1) returning id)
         delete from caught_mails.mails
          where received_at < now() - interval '${longest}' or id <= (select id from kept) - ${most}`,
        [JSON.stringify(mail)],
      )
    },
    async all() {
      const { rows } = await pool.query<{ id: number; mail: Caught; receivedAt: Date }>(
        `select id::int, mail, received_at as "receivedAt"
           from caught_mails.mails order by id desc limit ${most}`,
      )
      return rows.map(({ id, mail, receivedAt }) => ({
        id,
        ...mail,
        receivedAt: receivedAt.toISOString(),
      }))
    },
  }
}
