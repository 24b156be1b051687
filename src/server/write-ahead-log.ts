/** A place in PostgreSQL's write-ahead log, as SQL: in bytes from its beginning. Exact up to nine petabytes. */
export const bytesOfLog = (lsn: string) => `(${lsn} - '0/0'::pg_lsn)::float8`

/** What a database has in common with its replicas, and with no other. */
export const systemIdentifier = '(select system_identifier::text from pg_control_system())'
