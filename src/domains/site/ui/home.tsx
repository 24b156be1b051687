import { BookOpen, Check, PenLine, Play } from 'lucide-react'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../../ui/button.tsx'
import { LightningMark } from '../../../ui/logo.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { Farewell } from '../../accounts/ui/farewell.tsx'
import { brand } from '../brand.ts'

export const meta = () => [
  { title: `${brand.name}: make a course, finish a course` },
  {
    name: 'description',
    content:
      'Turn what you know into chapters, lessons and video, publish it, and share the link. ' +
      'Learners pick up at the second where they stopped. Free to start.',
  },
]

export const handle = { still: true }

export default function Home() {
  return (
    <>
      <Farewell />
      <Hero />
      <Assurances />
      <Steps />
      <Sides />
      <SmallBox />
      <Start />
    </>
  )
}

function Hero() {
  return (
    <section className="page-width grid items-center gap-12 py-14 lg:grid-cols-[7fr_5fr] lg:gap-16 lg:py-24">
      <div>
        <h1 className="text-5xl font-extrabold lg:text-6xl">
          <span className="block">Teach what you know.</span>{' '}
          <span className="block">Finish what you start.</span>
        </h1>
        <p className="mt-6 max-w-[36rem] text-lg text-pretty text-muted lg:text-xl lg:leading-8">
          {brand.name} is a place to turn something you know into a course, and to follow a course
          to its end. Chapters, lessons and video for people who teach. Progress that stays put for
          people who learn.
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <ButtonLink to="/signup" size="lg">
            Create your free account
          </ButtonLink>
          <ButtonLink to="/explore" variant="secondary" size="lg">
            Explore courses
          </ButtonLink>
        </div>
        <p className="mt-4 text-sm text-muted">No card, no trial that runs out.</p>
      </div>
      <ExampleCourse />
    </section>
  )
}

const exampleLessons = [
  { title: 'Find out which tube fits your tire', state: 'done' },
  { title: 'Pack four things in a saddle bag', state: 'done' },
  { title: 'Take the wheel off', state: 'done' },
  { title: 'Find the hole, and what made it', state: 'now' },
  { title: 'Fit the new tube', state: 'next' },
  { title: 'Put the wheel back, ride home', state: 'next' },
]

/** A picture of a course half way through, drawn with the product's own tokens. */
function ExampleCourse() {
  return (
    <figure className="mx-auto w-full max-w-[30rem] lg:max-w-none">
      <div className="rounded-card border border-line bg-surface shadow-raised">
        <div className="relative grid aspect-[16/8] place-items-center overflow-hidden rounded-t-card bg-track text-spark">
          <LightningMark bare className="absolute -right-4 -bottom-12 size-64 opacity-10" />
          <span className="grid size-14 place-items-center rounded-full bg-spark text-on-spark">
            <Play aria-hidden className="ml-0.5 size-6 fill-current" />
          </span>
          <span className="absolute bottom-6 left-4 text-sm font-semibold tabular-nums sm:left-6">
            Continue at 2:07
          </span>
          <span className="absolute inset-x-4 bottom-3.5 h-1 rounded-full bg-spark/25 sm:inset-x-6">
            <span className="block h-full w-[53%] rounded-full bg-spark" />
          </span>
        </div>
        <div className="p-5 sm:p-6">
          <p className="font-display text-xl font-bold">Fix a Flat at the Roadside</p>
          <Progress label="3 of 6 lessons completed" percent={50} className="mt-3" />
          <ol className="mt-5 grid gap-1 text-sm">
            {exampleLessons.map(({ title, state }, index) => (
              <li
                key={title}
                className={
                  state === 'now'
                    ? '-mx-2 flex items-center gap-3 rounded-control bg-primary-soft px-2 py-1.5 font-semibold'
                    : '-mx-2 flex items-center gap-3 px-2 py-1.5'
                }
              >
                {state === 'done' ? (
                  <span className="grid size-6 shrink-0 place-items-center rounded-full bg-success-soft text-success">
                    <Check aria-label="Completed" className="size-3.5" strokeWidth={3} />
                  </span>
                ) : (
                  <span className="grid size-6 shrink-0 place-items-center rounded-full border border-edge text-xs tabular-nums">
                    {index + 1}
                  </span>
                )}
                <span className={state === 'done' ? 'text-muted' : undefined}>{title}</span>
              </li>
            ))}
          </ol>
        </div>
      </div>
      <figcaption className="mt-3 text-center text-sm text-muted">
        An example: the course that our own bootcamp builds, half way through.
      </figcaption>
    </figure>
  )
}

function Assurances() {
  return (
    <section aria-label="What you can rely on" className="border-y border-line bg-surface">
      <dl className="page-width grid gap-x-8 gap-y-8 py-10 sm:grid-cols-2 lg:grid-cols-4 lg:py-12">
        <Assurance name="Joined means in.">
          Press Join and the lessons open, at once. If you had to sign up first, you come back to
          the course that you wanted.
        </Assurance>
        <Assurance name="Watched means remembered.">
          The second where you stopped and every lesson you completed, on whichever device you open
          next.
        </Assurance>
        <Assurance name="Draft means private.">
          Nobody else sees your course until you press Publish. What you make in it stays yours.
        </Assurance>
        <Assurance name="One small box.">
          No third-party scripts, no trackers, no ads. All of {brand.name} fits on one machine, and
          it can be your own.
        </Assurance>
      </dl>
    </section>
  )
}

function Assurance({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="font-display text-xl font-bold">{name}</dt>
      <dd className="mt-2 text-muted">{children}</dd>
    </div>
  )
}

function Steps() {
  return (
    <section aria-labelledby="steps" className="page-width py-16 lg:py-24">
      <h2 id="steps" className="text-4xl">
        From an idea to a link you can send
      </h2>
      <ol className="mt-10 grid gap-10 md:grid-cols-3 md:gap-8">
        <Step number="1" name="Outline it">
          Give the course a title and a picture. Set down its chapters, and the lessons in them. Now
          you can see the whole course, and fill it in any order.
        </Step>
        <Step number="2" name="Fill the lessons">
          Write with headings, lists, quotes and code. Upload a video and watch how much of it has
          really arrived. Add the links that are worth following.
        </Step>
        <Step number="3" name="Publish it">
          Your course gets a page that anybody can read, a place in Explore and an address that you
          can say out loud. The lessons open for the people who join.
        </Step>
      </ol>
    </section>
  )
}

function Step({ number, name, children }: { number: string; name: string; children: ReactNode }) {
  return (
    <li className="border-t-2 border-ink pt-5">
      <span aria-hidden className="font-display text-4xl font-extrabold text-primary tabular-nums">
        {number}
      </span>
      <h3 className="mt-3 text-2xl">{name}</h3>
      <p className="mt-2 text-muted">{children}</p>
    </li>
  )
}

function Sides() {
  return (
    <section
      aria-label="For creators and for learners"
      className="page-width grid gap-6 lg:grid-cols-2"
    >
      <Side
        icon={<PenLine aria-hidden className="size-5" />}
        name="For people who teach"
        action={<ButtonLink to="/signup">Make your first course</ButtonLink>}
      >
        <Point name="Edit a running course.">
          Rename a lesson, move it, add one in between. Everybody keeps what they completed.
        </Point>
        <Point name="Uploads that survive the train.">
          When the connection drops, the upload carries on from where it stopped.
        </Point>
        <Point name="Members only means it.">
          A copied video address opens for nobody who has not joined.
        </Point>
        <Point name="Free to begin.">
          A free account holds one course with up to 25 learners. Your first class fits.
        </Point>
      </Side>
      <Side
        icon={<BookOpen aria-hidden className="size-5" />}
        name="For people who learn"
        action={
          <ButtonLink to="/explore" variant="secondary">
            Find a course
          </ButtonLink>
        }
      >
        <Point name="Look before you join.">
          Every course page can be read without an account: what it covers, who teaches it and which
          lessons are inside.
        </Point>
        <Point name="Back to the second.">
          Stop at 2:07 on the bus. Carry on at 2:07 at your desk.
        </Point>
        <Point name="Progress in plain numbers.">
          “3 of 6 lessons completed”, on the course and on your dashboard.
        </Point>
        <Point name="Quiet.">
          No ads and no tracking. Our cookies do nothing but keep you signed in.
        </Point>
      </Side>
    </section>
  )
}

type SideProps = { icon: ReactNode; name: string; action: ReactNode; children: ReactNode }

function Side({ icon, name, action, children }: SideProps) {
  return (
    <div className="flex flex-col rounded-card border border-line bg-surface p-6 sm:p-8">
      <h2 className="flex items-center gap-3 text-2xl">
        <span className="grid size-10 shrink-0 place-items-center rounded-control bg-primary-soft text-primary">
          {icon}
        </span>
        {name}
      </h2>
      <ul className="mt-6 mb-8 grid gap-5">{children}</ul>
      <div className="mt-auto">{action}</div>
    </div>
  )
}

function Point({ name, children }: { name: string; children: ReactNode }) {
  return (
    <li className="flex gap-3">
      <Check aria-hidden className="mt-0.5 size-5 shrink-0 text-success" strokeWidth={2.5} />
      <p>
        <strong className="font-semibold">{name}</strong>{' '}
        <span className="text-muted">{children}</span>
      </p>
    </li>
  )
}

function SmallBox() {
  return (
    <section
      aria-labelledby="small-box"
      className="page-width grid items-center gap-8 py-16 lg:grid-cols-2 lg:gap-16 lg:py-24"
    >
      <div>
        <h2 id="small-box" className="text-4xl">
          Or run the whole thing yourself
        </h2>
        <p className="mt-4 max-w-[34rem] text-lg text-muted">
          {brand.name} is open source under the MIT license. One command installs it, sets up its
          database and prints the address. It asks for no outside account and calls nobody home.
        </p>
      </div>
      <pre className="rounded-card border border-line bg-surface p-6 text-sm leading-7 whitespace-pre-wrap">
        <code>
          <span className="text-muted">$ </span>
          <strong className="font-semibold">npm start</strong>
          {'\n'}
          <span className="text-muted">{brand.name} is ready at </span>http://localhost:3000
        </code>
      </pre>
    </section>
  )
}

function Start() {
  return (
    <section aria-labelledby="start" className="border-t border-line bg-primary-soft">
      <div className="page-width py-16 text-center lg:py-24">
        <LightningMark className="mx-auto size-12" />
        <h2 id="start" className="mt-6 text-4xl">
          What do people keep asking you?
        </h2>
        <p className="mx-auto mt-4 max-w-[38rem] text-lg text-muted">
          The answer that you have given three times is a course. Every new account starts with
          Thunder Bootcamp, a short course that takes you from that answer to a page you can share.
        </p>
        <div className="mt-8 flex flex-wrap justify-center gap-3">
          <ButtonLink to="/signup" size="lg">
            Create your free account
          </ButtonLink>
          <ButtonLink to="/login" variant="secondary" size="lg">
            Log in
          </ButtonLink>
        </div>
      </div>
    </section>
  )
}
