import type { DemoCreator } from './demo-shape.ts'

export const priyaRaman: DemoCreator = {
  name: 'Priya Raman',
  bio: 'Software engineer, former maths teacher. I explain computers to people who were told they are not technical.',
  courses: [
    {
      title: 'Your First Web Page, by Hand',
      shortDescription:
        'HTML and CSS in five sittings, with nothing but a text editor and a browser.',
      description: `Builders and frameworks change every year. The two languages under all of them hardly do. You will write a page about something that you love, make it readable on a phone, and put it online for free.

No installation, no account, no jargon without an explanation.`,
      category: 'Tech',
      level: 'Beginner',
      chapters: [
        {
          title: 'Words',
          lessons: [
            {
              title: 'A page is a text file',
              text: `Open the plainest editor that you have, type a sentence, save it as page.html and drag it into a browser. That is a web page. Everything else is telling the browser what the parts mean.`,
            },
            {
              title: 'Headings, paragraphs, links',
              text: `Mark the title with <h1>, each paragraph with <p>, and the link with <a href="…">. Choose them for what the text is, not for how it looks: people who listen to pages jump from heading to heading.`,
              links: [
                {
                  title: 'MDN: HTML basics',
                  url: 'https://developer.mozilla.org/docs/Learn',
                  description: 'The reference that professionals keep open all day.',
                },
              ],
            },
          ],
        },
        {
          title: 'Looks',
          lessons: [
            {
              title: 'Five lines of CSS',
              text: `A readable font size, a line height of 1.6, a width of 65 characters, some space around it, a colour that is not pure black. Five lines, and you are ahead of half of the web.`,
            },
            {
              title: 'A page that fits a phone',
              text: `Add the viewport line to the head, give pictures a maximum width of 100 percent, and shrink the window until something breaks. Fix only what breaks.`,
            },
            {
              title: 'Put it online',
              text: `Any host for static files will do. Upload the folder, open the address on your phone, and send it to one person. Ask what they did not understand.`,
            },
          ],
        },
      ],
    },
    {
      title: 'Git Without Fear',
      shortDescription:
        'A mental model in four pictures, and the eight commands that follow from it.',
      description: `Most people learn Git as spells. This course draws what is really there (snapshots, labels and a desk) so that you can work out what a command must do before you type it.`,
      category: 'Tech',
      level: 'Intermediate',
      chapters: [
        {
          title: 'What is there',
          lessons: [
            {
              title: 'A commit is a snapshot with a parent',
              text: `Not a difference, not a backup: a picture of every file, and an arrow to the picture before it. Draw three circles with arrows pointing left. You have drawn a repository.`,
            },
            {
              title: 'A branch is a sticky note',
              text: `It says a name and points to one commit. Committing moves the note. Deleting a branch throws away a note and not one line of work.`,
              links: [
                {
                  title: 'Pro Git',
                  url: 'https://git-scm.com/book',
                  description: 'The whole book, free to read.',
                },
              ],
            },
          ],
        },
        {
          title: 'What you do',
          lessons: [
            {
              title: 'Merge and rebase, drawn',
              text: `A merge adds a commit with two parents. A rebase copies your commits onto another place and moves your note there. Draw both for the same story. Now you know which one you want.`,
            },
            {
              title: 'Nothing is lost: the reflog',
              text: `Git writes down every place your notes have pointed to. When something is gone, git reflog has its address for at least a month. Breathe, find the line, and put a new note on it.`,
            },
          ],
        },
      ],
    },
    {
      title: 'SQL for People Who Ask Questions',
      shortDescription: 'Get answers out of a database yourself, from SELECT to joins and groups.',
      description: `You know the question: which customers came back? This course teaches the language that answers it. We use one small shop database from the first lesson to the last, and every lesson begins with a question somebody really asked.`,
      category: 'Tech',
      level: 'Beginner',
      chapters: [
        {
          title: 'One table',
          lessons: [
            {
              title: 'Which orders came in yesterday?',
              text: `SELECT names the columns, FROM the table, WHERE the condition. Read it as a sentence and write it in that order. Then look at ten rows before you trust a thousand.`,
              links: [
                {
                  title: 'SQLite in the browser',
                  url: 'https://sqlime.org/',
                  description: 'Try every query here, nothing to install.',
                },
              ],
            },
            {
              title: 'How much did each city buy?',
              text: `GROUP BY makes one row of many. Every column that you select is then either what you group by or a summary: a count, a sum, an average. If the database complains, it is about this.`,
            },
          ],
        },
        {
          title: 'Two tables',
          lessons: [
            {
              title: 'Who bought it? Joining',
              text: `A join puts rows side by side where a condition holds. Say the condition aloud: the order's customer number is the customer's number. Then type exactly that after ON.`,
            },
            {
              title: 'Who never bought? LEFT JOIN',
              text: `Keep every customer, put orders beside them where there are any, and look for the gaps: WHERE orders.id IS NULL. Questions with “never” nearly always have this shape.`,
            },
          ],
        },
      ],
    },
    {
      title: 'Crypto, Without the Hype',
      shortDescription:
        'What a blockchain is, what a wallet holds, and how people lose money. No tips.',
      description: `A calm introduction by somebody who sells nothing. You will understand the machinery well enough to explain it at dinner, set up a wallet with ten euros in it, and recognise the five tricks that empty most of the others.

This is education, not advice. It never tells you to buy.`,
      category: 'Crypto',
      level: 'Beginner',
      chapters: [
        {
          title: 'The machinery',
          lessons: [
            {
              title: 'A ledger that nobody owns',
              text: `A thousand people keep the same list, and agree on the next page every few minutes. The hard part is not the list. It is agreeing with strangers who may lie, and paying for that with something scarce.`,
            },
            {
              title: 'What is in a wallet',
              text: `No coins: a secret number. Whoever knows it can sign, and signing moves money. There is no help desk, and that is the point as well as the problem.`,
            },
          ],
        },
        {
          title: 'The tricks',
          lessons: [
            {
              title: 'Five ways in which people lose it',
              text: `- A friendly stranger with a platform that only pays in.
- A “support” account that asks for twelve words.
- An approval that you signed without reading.
- A coin that can be bought but not sold.
- A lost piece of paper.`,
            },
          ],
        },
      ],
    },
  ],
}
