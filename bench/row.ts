/** One line of the table in README.md. */
export interface Row {
  what: string
  measured: string
  goal: string
  /** Null where there is a figure but no goal. */
  met: boolean | null
}

const signs = new Map<boolean | null, string>([
  [true, 'yes'],
  [false, '**no**'],
  [null, ''],
])

export function tableOf(title: string, rows: Row[]): string {
  const lines = rows.map(
    ({ what, measured, goal, met }) => `| ${what} | ${measured} | ${goal} | ${signs.get(met)} |`,
  )
  return [
    `### ${title}`,
    '',
    '| what | measured | goal | met |',
    '|---|---|---|---|',
    ...lines,
    '',
  ].join('\n')
}

export const whole = (value: number) => Math.round(value).toLocaleString('en-US')
export const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`
