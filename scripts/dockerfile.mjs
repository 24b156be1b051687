// Reads the few instructions that our Dockerfile uses; any other is an error, and not overlooked.

const exec = (text) => JSON.parse(text)

/** Flags before what an instruction is about: --from=build and the like. */
function withFlags(text) {
  const flags = {}
  let rest = text
  for (let flag; (flag = /^--([a-z-]+)=(\S+)\s+/.exec(rest)); rest = rest.slice(flag[0].length)) {
    flags[flag[1]] = flag[2]
  }
  return { flags, rest }
}

const readers = {
  WORKDIR: (text) => ({ path: text }),
  COPY(text) {
    const { flags, rest } = withFlags(text)
    const paths = rest.split(/\s+/)
    return { from: flags.from ?? null, sources: paths.slice(0, -1), target: paths.at(-1) }
  },
  RUN: (text) => ({ command: text }),
  ENV(text) {
    const [, name, value] = /^([A-Z_]+)=(\S*)$/.exec(text) ?? []
    if (!name) throw new Error(`ENV ${text}: one NAME=value on each line`)
    return { name, value }
  },
  USER: (text) => ({ user: text }),
  VOLUME: (text) => ({ path: text }),
  EXPOSE: (text) => ({ port: Number(text) }),
  HEALTHCHECK(text) {
    const { rest } = withFlags(text)
    return { command: exec(rest.replace(/^CMD /, '')) }
  },
  CMD: (text) => ({ command: exec(text) }),
}

/**
 * @typedef {object} Step what an instruction says; what others say is not there
 * @property {string} instruction
 * @property {string} [path]
 * @property {string | null} [from]
 * @property {string[]} [sources]
 * @property {string} [target]
 * @property {string | string[]} [command]
 * @property {string} [user]
 */

/**
 * The stages of a Dockerfile in their order, each with its base, its name and its steps.
 * @param {string} text
 */
export function readDockerfile(text) {
  /** @type {{ base: string, name: string | null, steps: Step[] }[]} */
  const stages = []
  const lines = text.replaceAll(/\\\n/g, ' ').split('\n')
  for (const line of lines.map((one) => one.trim())) {
    if (line === '' || line.startsWith('#')) continue
    const [, instruction, rest] = /^([A-Z]+)\s+(.+)$/.exec(line) ?? [null, line, '']
    if (instruction === 'FROM') {
      const [base, , name = null] = rest.split(/\s+/)
      stages.push({ base, name, steps: [] })
      continue
    }
    const read = readers[instruction]
    if (!read || stages.length === 0) throw new Error(`This is not understood: ${line}`)
    stages.at(-1).steps.push({ instruction, ...read(rest) })
  }
  return stages
}
