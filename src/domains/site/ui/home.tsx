import { BookOpen, PenLine } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useRouteLoaderData } from 'react-router'
import type { Route } from './+types/home'
import type { loader as rootLoader } from '../../../root.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { LightningMark } from '../../../ui/logo.tsx'
import { pageApi } from '../../../web/page-context.ts'
import { Farewell } from '../../accounts/ui/farewell.tsx'
import type { CourseCard as Course } from '../../courses/schema.ts'
import { CourseCardGrid } from '../../courses/ui/course-card-grid.tsx'
import { CourseCard } from '../../courses/ui/course-card.tsx'
import { brand } from '../brand.ts'
import { headOf } from './page-meta.ts'
import { PathStep, Path } from './path.tsx'
import { Prices } from './prices.tsx'
import { Screenshot } from './screenshot.tsx'

export const meta = () =>
  headOf(`${brand.name}: make a course, finish a course`, {
    description:
      'Turn what you know into chapters, lessons and video, give it away or sell it, and share the ' +
      'link. Learners pick up at the second where they stopped. Free to start.',
    path: '/',
  })

export const handle = { still: true }

export const loader = ({ context }: Route.LoaderArgs) =>
  context.get(pageApi).site.listFeaturedCourses()

const useSignedIn = () => Boolean(useRouteLoaderData<typeof rootLoader>('root')?.me)

export default function Home({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <Farewell />
      <Hero />
      <Assurances />
      <Creators />
      <Learners />
      {loaderData.courses.length > 0 && <Featured courses={loaderData.courses} />}
      <Prices />
      <Comparisons />
      <SmallBox />
      <Start />
    </>
  )
}

function Hero() {
  const signedIn = useSignedIn()
  return (
    <section className="page-width pt-12 pb-14 lg:pt-20 lg:pb-20">
      <div className="grid items-end gap-x-12 gap-y-6 lg:grid-cols-2">
        <h1 className="text-5xl font-extrabold">
          <span className="block">Teach what you know.</span>{' '}
          <span className="block">Finish what you start.</span>
        </h1>
        <div>
          <p className="max-w-[36rem] text-lg text-pretty text-muted">
            {brand.name} turns something you know into a course with chapters, lessons and video,
            that you give away or sell. And it keeps the place of everybody who takes one.
          </p>
          <div className="mt-6 flex flex-wrap gap-3">
            {signedIn ? (
              <ButtonLink to="/dashboard" size="lg">
                Go to your dashboard
              </ButtonLink>
            ) : (
              <ButtonLink to="/signup" size="lg">
                Create your free account
              </ButtonLink>
            )}
            <ButtonLink to="/explore" variant="secondary" size="lg">
              Explore courses
            </ButtonLink>
          </div>
          {!signedIn && <p className="mt-3 text-sm text-muted">No card, no trial that runs out.</p>}
        </div>
      </div>
      <figure className="mt-10 lg:mt-14">
        <Screenshot
          name="lesson"
          alt="A lesson: its video stands at 0:31 of 1:12, where it was left; beside it the course’s outline with 3 of 12 lessons completed."
          sizes="(min-width: 80rem) 72rem, 94vw"
          priority
          className="shadow-raised"
        />
        <figcaption className="mt-3 text-center text-sm text-muted">
          A lesson, back at the second where its learner stopped. All pictures on this page are of
          the product as it is.
        </figcaption>
      </figure>
    </section>
  )
}

function Assurances() {
  return (
    <section aria-label="What you can rely on" className="border-y border-line bg-surface">
      <dl className="page-width grid gap-x-8 gap-y-8 py-10 sm:grid-cols-2 lg:grid-cols-4 lg:py-12">
        <Assurance name="Paid means enrolled.">
          Press Join, or pay, and the lessons open. If you had to sign up first, you come back to
          the course that you wanted.
        </Assurance>
        <Assurance name="Watched means remembered.">
          The second where you stopped and every lesson you completed, on whichever device you open
          next.
        </Assurance>
        <Assurance name="Leave any time.">
          Courses and sales come out as files, and with Pro your students, too. What you make stays
          yours.
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

function Creators() {
  const signedIn = useSignedIn()
  return (
    <Path
      id="creators"
      icon={PenLine}
      title="For people who teach"
      lead="From the answer that you keep giving to a course that pays you: six steps, all in one place."
      action={
        <ButtonLink to={signedIn ? '/create-course' : '/signup'} size="lg">
          Make your first course
        </ButtonLink>
      }
    >
      <PathStep
        name="Make it"
        picture="editor"
        alt="The editor: a chapter with a lesson, its title and its text, and Save Changes below."
      >
        Chapters, lessons, video, links. An upload that loses its connection carries on from where
        it stopped. Rename and move lessons of a running course: everybody keeps what they
        completed.
      </PathStep>
      <PathStep
        name="Sell it, or give it away"
        picture="sale"
        alt="A course’s public page: what it is about, who teaches it, its price of $29, and a button to join."
      >
        Free, for a price once, or by the month, with coupons if you like. Every course has a page
        that anybody can read and an address that you can say out loud. A payment opens the lessons.
      </PathStep>
      <PathStep
        name="Choose who comes in"
        picture="applications"
        alt="Applications to a course: an applicant’s answer, with buttons to approve or reject."
      >
        If you want to know people first, let them apply. You write the questions and decide; they
        hear your answer.
      </PathStep>
      <PathStep
        name="Talk with them"
        picture="community"
        alt="The discussion of a course: two members’ posts, with likes and comments."
      >
        Each course has its own discussion, with pictures, comments and mentions, and the tools that
        keep it friendly.
      </PathStep>
      <PathStep
        name="See how it goes"
        picture="analytics"
        alt="Creator Analytics: bar charts of active learners and of completed lessons, week by week."
      >
        Students, revenue, ratings and what happened last. With Pro also over time, and at which
        lesson people stop.
      </PathStep>
      <PathStep
        name="Be paid"
        picture="payments"
        alt="Earnings History: sales of two courses, each with its price, what was taken from it, and what the creator receives."
      >
        Each sale says what was taken from it and when its money comes, and you say where it goes.
      </PathStep>
    </Path>
  )
}

function Learners() {
  return (
    <div className="border-y border-line bg-surface">
      <Path
        id="learners"
        icon={BookOpen}
        title="For people who learn"
        lead="Nothing between you and the next lesson, and nothing that forgets you."
        action={
          <ButtonLink to="/explore" variant="secondary" size="lg">
            Find a course
          </ButtonLink>
        }
      >
        <PathStep
          name="Find"
          picture="explore"
          alt="Explore: a search field, filters by category and price, and cards of popular courses."
        >
          Search by what you want to learn; a typing error does no harm. Filter by category and
          price.
        </PathStep>
        <PathStep
          name="Look inside, and join"
          picture="course"
          alt="A course’s page: title, summary, rating, its creator, and a button to join for free."
        >
          What it covers, who teaches it, what members think: all to be read without an account.
          Press Join, and you are in.
        </PathStep>
        <PathStep
          name="Watch, and take notes"
          picture="notes"
          alt="Below a lesson: notes, each with the second of the video that it belongs to."
        >
          Change the speed, write a note at the second it belongs to, ask the others. A lesson ticks
          itself off when its video ends.
        </PathStep>
        <PathStep
          name="Come back to the second"
          picture="dashboard"
          alt="A learner’s dashboard: courses with progress bars, and Continue on each."
        >
          Stop at 2:07 on the bus. Carry on at 2:07 at your desk. Your dashboard knows which lesson
          is next.
        </PathStep>
      </Path>
    </div>
  )
}

function Featured({ courses }: { courses: Course[] }) {
  return (
    <section aria-labelledby="featured" className="page-width pt-16 lg:pt-24">
      <div className="mb-8 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div>
          <h2 id="featured" className="text-4xl">
            Featured courses
          </h2>
          <p className="mt-3 text-lg text-muted">The ones with the most students right now.</p>
        </div>
        <ButtonLink to="/explore" variant="secondary">
          Explore all courses
        </ButtonLink>
      </div>
      <CourseCardGrid label="Featured courses">
        {courses.map((course) => (
          <CourseCard key={course.id} course={course} level={3} lazy />
        ))}
      </CourseCardGrid>
    </section>
  )
}

function Comparisons() {
  return (
    <section aria-labelledby="comparisons" className="border-y bg-surface">
      <div className="page-width flex flex-wrap items-center justify-between gap-x-12 gap-y-6 py-12 lg:py-16">
        <div className="max-w-[40rem]">
          <h2 id="comparisons" className="text-3xl">
            Looking at others, too?
          </h2>
          <p className="mt-3 text-lg text-pretty text-muted">
            We compared {brand.name} with Whop, Skool, Kajabi and Teachable, feature by feature. On
            some lines they win, and we say so. Read{' '}
            <Link to="/about" className="font-semibold text-primary underline underline-offset-4">
              what {brand.name} is for
            </Link>
            .
          </p>
        </div>
        <ButtonLink to="/blog" variant="secondary" size="lg">
          Read the comparisons
        </ButtonLink>
      </div>
    </section>
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
  const signedIn = useSignedIn()
  return (
    <section aria-labelledby="start" className="border-t border-line bg-primary-soft">
      <div className="page-width py-16 text-center lg:py-24">
        <LightningMark className="mx-auto size-12" />
        <h2 id="start" className="mt-6 text-4xl">
          What do people keep asking you?
        </h2>
        <p className="mx-auto mt-4 max-w-[38rem] text-lg text-muted">
          The answer that you have given three times is a course. Every new account starts with a
          short one that takes you from that answer to a page you can share.
        </p>
        <div className="mt-8 flex flex-wrap justify-center gap-3">
          {signedIn ? (
            <ButtonLink to="/create-course" size="lg">
              Create a course
            </ButtonLink>
          ) : (
            <>
              <ButtonLink to="/signup" size="lg">
                Create your free account
              </ButtonLink>
              <ButtonLink to="/login" variant="secondary" size="lg">
                Log in
              </ButtonLink>
            </>
          )}
        </div>
      </div>
    </section>
  )
}
