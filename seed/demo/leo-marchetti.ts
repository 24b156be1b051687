import type { DemoCreator } from './demo-shape.ts'

export const leoMarchetti: DemoCreator = {
  name: 'Leo Marchetti',
  bio: 'Session guitarist, father of two, maker of small board games that fit into a coat pocket.',
  courses: [
    {
      title: 'Guitar: Four Chords, Ten Songs',
      shortDescription: 'G, C, D and E minor, one strum, and ten songs that people sing along to.',
      description: `You do not need theory to play around a fire. You need four shapes, a strum that does not stop when you change, and songs you like. Fifteen minutes a day for a month.

Any guitar will do if it is in tune. The first lesson tunes it.`,
      category: 'Music',
      level: 'Beginner',
      chapters: [
        {
          title: 'Hands',
          lessons: [
            {
              title: 'Tune it, hold it',
              text: `Use any tuner on your phone: E, A, D, G, B, E from thick to thin. Rest the guitar on your right leg, neck slightly up, and let the left thumb sit behind the neck as if you held a bottle.`,
            },
            {
              title: 'E minor and G',
              text: `Two fingers, then three. Play each string alone and listen for the dead one. It is a fingertip that leans. Change between them once every four beats, slowly enough never to stop.`,
            },
            {
              title: 'C and D',
              text: `Put down the finger that is furthest away first. After a week your hand lands as one. Fingertips hurt for ten days, and then never again.`,
            },
          ],
        },
        {
          title: 'Songs',
          lessons: [
            {
              title: 'The strum that never stops',
              text: `Down, down, up, up, down, up. The arm keeps moving even when it misses the strings on purpose. Say it, tap it on the table, then play it on muted strings.`,
            },
            {
              title: 'Ten songs, in order of nerve',
              text: `Begin with two-chord songs and end with all four. Sing, badly, from the first day: whoever sings keeps time. Record yourself on day one and on day thirty, and listen to both.`,
            },
          ],
        },
      ],
    },
    {
      title: 'Read Rhythm in a Week',
      shortDescription: 'Seven short lessons, two hands and a table. No instrument, no notes.',
      description: `Pitch can wait. Rhythm is what makes people stop reading music, and it takes a week to learn properly. Clap along for ten minutes a day.`,
      category: 'Music',
      level: 'Beginner',
      chapters: [
        {
          title: 'Days 1 to 3',
          lessons: [
            {
              title: 'The pulse',
              text: `Walk through the room. Each step is a beat. Count four and begin again. Everything else in this course is what happens between two steps.`,
            },
            {
              title: 'Halves and quarters of a step',
              text: `Clap twice for every step, then four times. Say “ta”, “ti-ti” and “ti-ka-ti-ka”. Then look at the signs for them. They are only names for what you can already do.`,
            },
            {
              title: 'Silence counts',
              text: `A rest is not a pause, it is a note that you play by not playing. Breathe in on it, sharply, and you will never be late again.`,
            },
          ],
        },
        {
          title: 'Days 4 to 7',
          lessons: [
            {
              title: 'The dot and the tie',
              text: `A dot makes a note longer by half of itself. Clap “long-short, long-short” over a steady foot: that is half of all the songs that you know.`,
            },
            {
              title: 'Off the beat',
              text: `Tap the foot and clap only in between. It falls apart at first. Slow down until it does not, and stay there for five minutes. That is practice.`,
            },
          ],
        },
      ],
    },
    {
      title: 'Record a Song at Home',
      shortDescription:
        'One microphone, a wardrobe and free software: a demo that you are not ashamed of.',
      description: `The room matters more than the microphone, and the take matters more than the room. We record guitar and voice, put them together, and stop before we ruin it.`,
      category: 'Music',
      level: 'Intermediate',
      chapters: [
        {
          title: 'Record',
          lessons: [
            {
              title: 'Sing into a wardrobe',
              text: `Clap in every room of your home. Where it does not ring, record. An open wardrobe full of coats behind the microphone beats foam from the internet.`,
            },
            {
              title: 'Levels: leave room',
              text: `The loudest word should reach three quarters of the meter. Too quiet can be repaired, too loud cannot. Do the loud part first when you set it.`,
            },
          ],
        },
        {
          title: 'Mix',
          lessons: [
            {
              title: 'Balance before effects',
              text: `All faders down. Bring up the voice until you understand each word, then everything else to just below it. Nine tenths of a mix are done now.`,
              links: [
                {
                  title: 'Audacity',
                  url: 'https://www.audacityteam.org/',
                  description: 'Free, and enough for this course.',
                },
              ],
            },
            {
              title: 'Know when to stop',
              text: `Listen in the kitchen, on the phone, quietly. If you hum along you are done. If you reach for a knob, note it, sleep, and change only what you still hear tomorrow.`,
            },
          ],
        },
      ],
    },
    {
      title: 'Make a Small Board Game',
      shortDescription: 'From a question to a playable prototype in a weekend, on eighteen cards.',
      description: `Eighteen cards are enough for a game with decisions, bluff and a story to tell afterwards. You will design one, break it with friends, and repair it.`,
      category: 'Gaming',
      level: 'Beginner',
      chapters: [
        {
          title: 'Saturday',
          lessons: [
            {
              title: 'Begin with a dilemma',
              text: `Not with a theme, and not with a rule. “Do I take it now or risk that you do?” Write down five dilemmas from your own life. One of them makes you smile: that is the game.`,
            },
            {
              title: 'Eighteen cards, one pencil',
              text: `Cut paper, number it one to six three times, give three numbers a power. Play against yourself with two hands. It will be bad. Bad is data.`,
            },
          ],
        },
        {
          title: 'Sunday',
          lessons: [
            {
              title: 'Watch, do not explain',
              text: `Give your friends the rules on half a page and be silent. Write down each question that they ask. Each one is a sentence that is missing, or a rule that is too many.`,
            },
            {
              title: 'Take one thing out',
              text: `Remove a rule and play again. If nobody misses it, it stays out. Stop when taking out anything more would hurt.`,
            },
          ],
        },
      ],
    },
  ],
}
