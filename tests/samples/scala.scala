#!/usr/bin/env scala
// A ledger; "quotes" and 'apostrophes don't matter here.
package org.example.ledger

import scala.collection.{mutable => mut, _}

/* nested /* comments */ are fine: "unclosed */
/** Doc comment with `code`. */
sealed trait Entry[+A, -B <: AnyRef, C >: Null] extends Product with Serializable {
  self: Named =>
  type Out <: { def close(): Unit }
  def `type`: String
  protected[ledger] lazy val größe: Double = 1.5e-3
}

final case class Line(title: String, amount: BigDecimal = 0) extends Entry[Int, String, Null]

object Ledger extends App {
  val chars = List('a', '\'', '\\', '"', '\u0041', '\n', 'é')
  val symbols = List('name, 'other_name)
  val numbers = List(0, 0xFF, 1_000_000L, 1.5, .5, 2f, 1e10, 3.0e+2D)
  val strings = List("plain ${not}", "esc \" \\ \n", "")
  val lines = """raw "quotes" \ no escapes
    |second ${not}""".stripMargin
  val quoted = """"start and end""""
  val name = "x"
  val s1 = s"Hello $name and ${name + "!"}: ${List(1, 2).map { x => s"<${x}>" }} $$5"
  val s2 = f"$amount%2.2f ${amount * 2}%s \" ok" + raw"a\nb"
  val s3 = s"""multi "line" ${
    if (name == "}") """deep""" else s"""$name"""
  } end"""
  val query = sql"select * from t where name = ${name}"

  def add[F[_]: Monad, A](entry: Entry[A, _, _]*)(implicit ord: Ordering[A]): F[Seq[A]] = {
    for {
      e <- entry if e != null && !e.isEmpty
      (k, v) = e -> 1
      i <- 0 until 10 by 2
    } yield e
    entry match {
      case Seq(x, xs @ _*) if x.size >= 7 || x.size <= -1 => xs
      case (_: Int) :: tail => tail ::: Nil
      case `name` | "a" => throw new Error(s"no: $name")
      case _ => ???
    }
    var bits = 0xff
    bits >>>= 1; bits >>= 1; bits <<= 2; bits ^= ~bits; bits |= 1; bits &= 3; bits %= 5
    val folded = (0 /: numbers)(_ + _) +: Nil :+ 1
    val ext = "org" %% "lib" % "1.0" % Test
    map += "a" -> 1; map ++= other; map --= Seq("a")
    try 1 / 2 catch { case e: Exception => 0 } finally ()
    do { bits -= 1 } while (bits > 0)
    implicitly[A =:= A]; implicitly[A <:< B]
  }

  @tailrec private def loop(n: Int): Int = if (n == 0) n else loop(n - 1)
}

enum Color(val rgb: Int):
  case Red extends Color(0xFF0000)

given Ordering[Line] with
  def compare(a: Line, b: Line) = a.amount compare b.amount

inline def power(x: Expr[Double])(using Quotes): Expr[Double] = '{ $x * ${ x } }
type Id = [X] =>> X
val ctx: Int ?=> Int = x
