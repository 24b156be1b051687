import type { DemoCreator } from './demo-shape.ts'

export const hanaSuzuki: DemoCreator = {
  name: 'Hana Suzuki',
  bio: 'Gardener on nine square metres in Yokohama. In winter I bind books.',
  courses: [
    {
      title: 'A Balcony That Feeds You',
      shortDescription:
        'Herbs, salad and tomatoes from four boxes, from the first warm weekend to October.',
      description: `You will plan four boxes for the light that you really have, sow what is worth its space, and water in a way that survives a week's holiday.

It is written for beginners with a railing and a bucket. A garden is not required.`,
      category: 'Gardening',
      level: 'Beginner',
      chapters: [
        {
          title: 'Plan',
          lessons: [
            {
              title: 'Count your hours of sun',
              text: `On a clear day, look at the balcony at nine, twelve, three and six, and note where the sun is. Six hours: tomatoes. Four: beans and strawberries. Two: salad, parsley, mint. Less: ferns, and a chair.`,
            },
            {
              title: 'Four boxes, not fourteen pots',
              text: `Large boxes dry out slowly and forgive you. Forty litres each, holes in the bottom, a saucer below, and good compost in place of the cheapest.`,
            },
          ],
        },
        {
          title: 'Grow',
          lessons: [
            {
              title: 'Salad every week',
              text: `Sow a hand's width every second Sunday, not everything at once. Cut the outer leaves and leave the heart. One box feeds two people from May to October.`,
            },
            {
              title: 'One tomato, well kept',
              text: `Plant it up to its first leaves, tie it loosely, pinch out what grows in the armpits. Water the soil and never the leaves, at the same time of day. Most tomato trouble is irregular water.`,
            },
            {
              title: 'A week away',
              text: `Push a full bottle, neck down, into wet soil, and move the boxes together into the shade. They will look tired and live.`,
            },
          ],
        },
      ],
    },
    {
      title: 'Houseplants: Why Yours Died',
      shortDescription:
        'Five post-mortems, and a two-minute weekly round that prevents all of them.',
      description: `It was probably the water. But too much or too little look alike from above. Learn to read leaves and roots, and to tell thirst from drowning.`,
      category: 'Gardening',
      level: 'Beginner',
      chapters: [
        {
          title: 'Post-mortems',
          lessons: [
            {
              title: 'Drowned',
              text: `Yellow from below, soft stem, a smell of cellar. Roots need air, and wet soil has none. Tip it out, cut away what is brown, and let it stand bare for a night before you repot it.`,
            },
            {
              title: 'Starved of light',
              text: `Long gaps between the leaves, all leaning to one side. Two metres from a window there is a tenth of the light that there is on the sill. Your eyes adapt, the plant cannot.`,
            },
            {
              title: 'Eaten',
              text: `Look under the leaves with a phone camera. Fine webs: mites. White wool: scale. Shower the plant, wipe it with soapy water, and do it again in a week. The second time is the one that works.`,
            },
          ],
        },
        {
          title: 'Prevention',
          lessons: [
            {
              title: 'The Sunday round',
              text: `A finger in the soil to the second joint. Dry: water until it runs out below. Not dry: walk on. Turn each pot by a quarter. Two minutes, and you have seen every plant.`,
            },
          ],
        },
      ],
    },
    {
      title: 'Compost Without the Smell',
      shortDescription: 'A bin, a fork, and the one ratio that matters. Works on a balcony, too.',
      description: `Compost that smells is compost without air. Learn the balance of wet and dry, the three things that never go in, and how to have dark, crumbly soil in four months.`,
      category: 'Gardening',
      level: 'Intermediate',
      chapters: [
        {
          title: 'Build',
          lessons: [
            {
              title: 'Two handfuls of brown for one of green',
              text: `Green is wet and rich: peelings, coffee, grass. Brown is dry: leaves, cardboard, twigs. When in doubt, add brown. A torn egg box per day of kitchen scraps is about right.`,
            },
            {
              title: 'What stays out',
              text: `Meat and dairy call rats. Glossy paper brings plastic. Diseased leaves come back as diseased soil. Everything else is a matter of size: cut it smaller.`,
            },
          ],
        },
        {
          title: 'Keep',
          lessons: [
            {
              title: 'Read the heap',
              text: `Squeeze a handful. One drop: perfect. A stream: add cardboard and turn it. Dust: add water. It should be warm in the middle like a bath you would get into.`,
            },
          ],
        },
      ],
    },
    {
      title: 'Bookbinding at the Kitchen Table',
      shortDescription:
        'Fold, sew and cover a notebook that opens flat, with tools from the drawer.',
      description: `In three evenings you will make a sewn notebook with a hard cover. Paper, thread, a needle, glue, cardboard and a cereal box that you are ready to sacrifice.`,
      category: 'Hobbies',
      level: 'Beginner',
      chapters: [
        {
          title: 'The block',
          lessons: [
            {
              title: 'Find the grain',
              text: `Paper folds willingly in one direction. Bend a sheet both ways without creasing it and feel which is easier: that direction must run along the spine, or the book will warp.`,
            },
            {
              title: 'Fold and pierce',
              text: `Six gatherings of four sheets. Crease with the back of a spoon. Mark five holes on a strip of card and use it for every gathering, so that they line up.`,
            },
            {
              title: 'Sew',
              text: `In at the first hole, along, around the thread of the gathering before, and on. Pull along the paper and never across it: thread is a saw. End with two knots inside.`,
            },
          ],
        },
        {
          title: 'The cover',
          lessons: [
            {
              title: 'Boards, cloth and patience',
              text: `Two boards three millimetres larger than the block, a spine as thick as it, a gap of seven millimetres between. Glue, wrap, press under a pile of cookbooks, and do not look until morning.`,
            },
          ],
        },
      ],
    },
  ],
}
