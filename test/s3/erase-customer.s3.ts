// eraseCustomer() on a real S3 server: print files and unpacked pictures leave the bucket.
import t from 'tap'
import { eraseCustomer } from '../../plugins/index.ts'
import { customized, installation, mail } from '../support/fixtures/customers.ts'
import { onEachEngine } from '../support/hosts/build.ts'
import { printHost } from '../support/hosts/print.ts'
import { saveRows } from '../support/hosts/remote-shop.ts'
import { s3Bucket } from '../support/peers/s3.ts'

t.test('print files of the customer are removed from the bucket, those of others stay', (t) =>
  onEachEngine(t, async (t, engine) => {
    const s3 = await s3Bucket(t)
    const storage = { s3: { endpoint: s3.options.endpoint } }
    const host = await printHost(t, { engine, storage })
    await saveRows(host, s3.rows)
    const printed = async (customer_mail: string) => {
      const order = {
        customer_mail,
        customer_name: 'A',
        views: JSON.stringify([customized]),
        print_order: null,
      }
      const { insertId } = await host.db.insertInto(host.t.orders).values(order).executeTakeFirstOrThrow()
      const { guid } = await host.newJob({ order_id: Number(insertId), order_type: 'shortcode' })
      t.equal((await host.notify(guid)).body.data.status, 'completed')
      return Number(insertId)
    }
    const mine = await printed(mail)
    const [file = ''] = await s3.objects()
    const other = await printed('bea@shop.example')
    t.equal((await s3.objects()).length, 2)
    const found = await eraseCustomer({ ...installation(host), mail, storage })
    t.match(found, { orders: [mine], printJobs: 1, files: 1, problems: [] })
    const left = await s3.objects()
    t.same([left.length, left.includes(file)], [1, false])
    t.match((await host.call('GET', `/orders?type=shortcode&include[]=${other}`)).body.data, [
      { id: other, print_file_url: String },
    ])
  }),
)
