// A refused input is described in the product's own sentences wherever tests run, also where no server is started.
import { speakToPeople } from '../src/server/input-messages.ts'

speakToPeople()
