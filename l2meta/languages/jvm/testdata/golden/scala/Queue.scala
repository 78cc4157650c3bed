package com.example.jobs

import scala.collection.mutable

/** A queue of jobs, each run at most once. */
class Queue[J <: Job](clock: Clock, val limit: Int = 10)(implicit log: Log) extends Base(clock) with Iterable[J] {
  private val jobs = mutable.Map.empty[String, J]
  private[this] var (first, last) = bounds()
  lazy val worker = new Worker {
    override def run(): Unit = jobs.values.foreach(_.run())
  }

  def this(clock: Clock) = this(clock, 10)(Log.none)

  def push(name: String, job: J): this.type = {
    def full(at: Int): Boolean = at >= limit
    if (full(jobs.size)) log.warn(s"queue of ${describe(limit)} is full")
    else jobs.put(name, job)
    this
  }

  override def iterator: Iterator[J] = for (job <- jobs.values.iterator if job.ready) yield job

  protected def touch(job: J*): Unit = job.map(_.name).foreach { name => log.info(name) }
}

object Queue {
  final val Limit = 10
  case class Full(limit: Int) extends RuntimeException("full")
  case object Empty
  def apply[J <: Job](jobs: J*): Queue[J] = {
    val made = new Queue[J](Clock.system)
    jobs.foreach(j => made.push(j.name, j))
    made
  }
}
