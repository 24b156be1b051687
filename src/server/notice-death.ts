import { Client, type ClientBase } from 'pg'

/** Seconds, roughly, after which PostgreSQL takes a client from which it hears nothing any more for dead. */
const statement =
  'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3'

/**
 * PostgreSQL asks this client whether it is still there. A node whose machine lost its power says no goodbye: without this
 * its transactions, and all that wait for their locks, would stand still for the two hours of the kernel. For direct
 * connections only: a pooler's belong to everybody. A platform that knows no such thing ignores it.
 */
export async function noticeDeath(client: ClientBase): Promise<void> {
  await Reflect.apply(Client.prototype.query, client, [statement]).catch(() => {})
}
