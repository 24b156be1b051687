// What a migration may do while nodes of the version before it are at work: see “Migrations” in CONTRIBUTING.md.

/** Those up to here were applied before anybody had several nodes. */
export const lastExempt = 13

interface Rule {
  /** In a statement without comments, strings and bodies of functions; white space is one blank. */
  found: RegExp
  problem: string
}

const rules: Rule[] = [
  {
    found: /\bdrop (?:table|view|materialized view|type|schema)\b/i,
    problem: 'The version before still uses it: stop using it in one release, drop it in the next.',
  },
  {
    found:
      /\balter table\b.*\bdrop (?:column )?(?!constraint|not null|default|expression|identity)"?\w/i,
    problem: 'The version before still reads and writes the column: drop it in the next release.',
  },
  {
    found: /\brename\b/i,
    problem:
      'The version before knows the old name: add the new one, copy, and drop the old one later.',
  },
  {
    found: /\badd column\b(?![^,]*\b(?:default|generated)\b)[^,]*\bnot null\b/i,
    problem:
      'The version before inserts rows without the column: give it a default, or allow null.',
  },
  {
    found: /\balter column\b.*\bset not null\b/i,
    problem:
      'It reads the whole table under a lock: add a check `not valid`, validate it, and rely on that.',
  },
  {
    found: /\balter column\b.*\b(?:set data )?type\b/i,
    problem: 'It writes the whole table anew under a lock: add a column of the new type, and copy.',
  },
  {
    found:
      /\badd (?:constraint \S+ )?(?:foreign key|check|primary key|unique|exclude)\b(?!.*\bnot valid\b)/i,
    problem:
      'It reads the whole table under a lock: add it `not valid`, and validate it in a migration of its own.',
  },
  {
    found: /\bcreate (?:unique )?index\b/i,
    problem:
      'Nobody writes while it is made. On a table with few rows say so: `-- allowed: why`. Else it is made ' +
      '`concurrently`, by an operator, before the release.',
  },
  {
    found: /^(?:update|delete)\b|\btruncate\b/i,
    problem:
      'All of it is one transaction, whose locks everybody waits for: let a job do it in small parts.',
  },
  {
    found: /\block table\b|\bvacuum full\b|\bcluster\b|\breindex\b/i,
    problem: 'Everybody waits for it.',
  },
]

const tableOf = (statement: string, words: RegExp) =>
  words.exec(statement)?.[1]?.replaceAll('"', '').toLowerCase()

export interface Finding {
  statement: string
  problem: string
}

function plain(sql: string): string {
  return sql
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/--[^\n]*/g, '')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/**
 * What of a migration would stop or break the version before it. A statement with a comment `-- allowed: why` passes:
 * whoever reads the migration reads the reason.
 */
export function findingsIn(migration: string): Finding[] {
  const parts = migration.split('--> statement-breakpoint')
  const statements = parts.flatMap((part) => {
    const isAllowed = /--\s*allowed:\s*\S.{5}/i.test(part)
    return plain(part)
      .split(';')
      .map((one) => one.trim())
      .filter(Boolean)
      .map((statement) => ({ statement, isAllowed }))
  })
  const made = new Set(
    statements.flatMap(
      ({ statement }) =>
        tableOf(
          statement,
          /^create (?:unlogged )?table (?:if not exists )?((?:"?\w+"?\.)?"?\w+"?)/i,
        ) ?? [],
    ),
  )
  return statements.flatMap(({ statement, isAllowed }) => {
    const table = tableOf(
      statement,
      /^(?:alter table (?:only |if exists )*|create (?:unique )?index .*? on (?:only )?)((?:"?\w+"?\.)?"?\w+"?)/i,
    )
    // Nobody has anything to do with a table that is just being made.
    if (isAllowed || (table !== undefined && made.has(table))) return []
    const broken = rules.filter(({ found }) => found.test(statement))
    return broken.map(({ problem }) => ({ statement, problem }))
  })
}
