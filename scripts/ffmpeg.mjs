// What the tests of video conversion need: on the PATH, else installed where that is possible.
import { spawnSync } from 'node:child_process'
import { install } from './debian.mjs'

const answers = (program) =>
  spawnSync(program, ['-version'], { stdio: 'ignore', shell: process.platform === 'win32' })
    .status === 0
const isThere = () => answers('ffmpeg') && answers('ffprobe')

export async function ensureFfmpeg() {
  if (isThere()) return
  await install('ffmpeg for the tests', ['ffmpeg'])
  if (isThere()) return
  console.error(
    'The tests need ffmpeg and ffprobe on the PATH: `apt-get install ffmpeg` on Debian and Ubuntu, ' +
      '`brew install ffmpeg` on macOS, `winget install ffmpeg` on Windows. Thunder itself runs without.',
  )
  process.exit(1)
}
