import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { lchown, readdir, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { delimiter, dirname, join, parse } from 'node:path'
import { text } from 'node:stream/consumers'

interface User {
  uid: number
  gid: number
}

/** In whose name PostgreSQL's programs run: it refuses to be root. */
export interface Runner {
  /** A command that runs the rest of its line. */
  prefix: string[]
  /** The user that Node becomes for the program; only root can. */
  become?: User
  /** The user that the database's files must belong to, where it is not our own. */
  filesOf?: User
}

const asOurselves: Runner = { prefix: [] }

/**
 * Our own user, who appears to the program as nobody: files stay ours, no system user is needed,
 * and the folder may be closed to everybody else.
 */
const inUserNamespace: Runner = { prefix: ['unshare', '--user', '--'] }

/**
 * Decides who runs PostgreSQL on `folder` (the database's own folder, or an empty one made for it)
 * and, as root, hands the folder over to that user.
 *
 * @throws Error with a sentence for people, when there is no way
 */
export async function chooseRunner(folder: string, program: string): Promise<Runner> {
  const owner = await stat(folder)
  const ourselves = process.getuid?.()

  if (ourselves === undefined) return asOurselves
  if (ourselves !== 0) {
    if (owner.uid !== ourselves) {
      throw new Error(
        `The database in ${folder} belongs to another user (uid ${owner.uid}): start Thunder as that ` +
          'user, or give the folder to this one.',
      )
    }
    // A container's bare uid has no name, which initdb insists on; in the namespace it has one.
    if (hasName() || !(await canRun(inUserNamespace, folder, program))) return asOurselves
    return inUserNamespace
  }

  const users = owner.uid === 0 ? await systemUsers() : [{ uid: owner.uid, gid: owner.gid }]
  const candidates = [
    ...(owner.uid === 0 ? [inUserNamespace] : []),
    ...users.flatMap((user) => [{ prefix: [], become: user, filesOf: user }, passingDoors(user)]),
  ]
  for (const runner of candidates) {
    if (!(await canRun(runner, folder, program))) continue
    if (runner.filesOf && runner.filesOf.uid !== owner.uid) await handOver(folder, runner.filesOf)
    return runner
  }
  throw new Error(
    'PostgreSQL refuses to run as root, and this machine offers neither a user namespace (unshare) ' +
      `nor a system user (postgres or nobody) that can reach ${dirname(folder)} and ${program}: ` +
      'start Thunder as an ordinary user, or set DATABASE_URL to use another PostgreSQL.',
  )
}

/** Starts a program in the runner's name, with none of our own secrets in its environment. */
export function spawnAs(
  runner: Runner,
  program: string,
  args: string[],
  options: SpawnOptions = {},
): ChildProcess {
  const [command = program, ...rest] = [...runner.prefix, program, ...args]
  return spawn(command, rest, {
    // Our own working directory may be closed to the other user.
    cwd: parse(process.cwd()).root,
    env: environment(),
    windowsHide: true,
    ...runner.become,
    ...options,
  })
}

/** Runs a program to its end; one that cannot be started at all counts as failed. */
export async function runAs(
  runner: Runner,
  program: string,
  args: string[],
): Promise<{ ok: boolean; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const fail = (error: unknown) => resolve({ ok: false, stdout: '', stderr: String(error) })
    try {
      const child = spawnAs(runner, program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
      const stdout = child.stdout ? text(child.stdout) : Promise.resolve('')
      const stderr = child.stderr ? text(child.stderr) : Promise.resolve('')
      child.once('error', fail)
      child.once('close', (code) => {
        Promise.all([stdout, stderr]).then(
          ([out, err]) => resolve({ ok: code === 0, stdout: out, stderr: err }),
          fail,
        )
      })
    } catch (error) {
      // Node throws some failures at once: a root that may not become another user is one.
      fail(error)
    }
  })
}

/**
 * A user with root's right to pass closed doors and nothing else of root: for a data folder or an
 * installation inside a home of mode 700. Containers that forbid user namespaces often allow this.
 */
function passingDoors(user: User): Runner {
  return {
    prefix: [
      'setpriv',
      `--reuid=${user.uid}`,
      `--regid=${user.gid}`,
      '--clear-groups',
      '--inh-caps=-all,+dac_override',
      '--ambient-caps=-all,+dac_override',
      '--',
    ],
    filesOf: user,
  }
}

/** Whether this runner can pass to the data folder and start the program there. */
async function canRun(runner: Runner, folder: string, program: string): Promise<boolean> {
  const script = 'cd "$1" && exec "$2" --version'
  const { ok } = await runAs(runner, '/bin/sh', ['-c', script, 'sh', dirname(folder), program])
  return ok
}

async function systemUsers(): Promise<User[]> {
  const users = await Promise.all(
    ['postgres', 'nobody'].map(async (name) => {
      const [uid, gid] = await Promise.all([
        runAs(asOurselves, 'id', ['-u', name]),
        runAs(asOurselves, 'id', ['-g', name]),
      ])
      return uid.ok && gid.ok ? [{ uid: Number(uid.stdout), gid: Number(gid.stdout) }] : []
    }),
  )
  return users.flat()
}

/** The folder itself comes last: until then it says root, so that a cut run is repeated. */
async function handOver(folder: string, { uid, gid }: User): Promise<void> {
  const inside = await readdir(folder, { recursive: true })
  for (const path of inside) await lchown(join(folder, path), uid, gid)
  await lchown(folder, uid, gid)
}

function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

function environment(): NodeJS.ProcessEnv {
  const kept = ['HOME', 'LD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR']
  const systemPrograms =
    process.platform === 'win32' ? [] : ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin']
  return {
    ...Object.fromEntries(kept.map((name) => [name, process.env[name]])),
    PATH: [process.env.PATH, ...systemPrograms].filter(Boolean).join(delimiter),
    // English messages, and no locale that this machine may lack.
    LC_ALL: 'C',
  }
}
