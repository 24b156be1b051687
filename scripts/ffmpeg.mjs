// What the tests of video conversion need: on the PATH, else installed where that is possible.
import { spawnSync } from 'node:child_process'
import { run } from './run.mjs'

const answers = (program) =>
  spawnSync(program, ['-version'], { stdio: 'ignore', shell: process.platform === 'win32' })
    .status === 0
const isThere = () => answers('ffmpeg') && answers('ffprobe')

export async function ensureFfmpeg() {
  if (isThere()) return
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    console.log('Installing ffmpeg for the tests...')
    await run('apt-get', ['update', '-qq'])
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'ffmpeg'], {
      env: { DEBIAN_FRONTEND: 'noninteractive' },
    })
    if (isThere()) return
  }
  console.error(
    'The tests need ffmpeg and ffprobe on the PATH: `apt-get install ffmpeg` on Debian and Ubuntu, ' +
      '`brew install ffmpeg` on macOS, `winget install ffmpeg` on Windows. Thunder itself runs without.',
  )
  process.exit(1)
}
