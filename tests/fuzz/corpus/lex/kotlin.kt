#!/usr/bin/env kotlin
@file:JvmName("Inventory")
package org.example.inventory

import kotlin.math.max as larger

/* nested /* comments */ are fine: "unclosed */
/** Doc comment with `code`. */
sealed interface Item<out T : Any> { val price: Double }

data class Book<T : Any>(val title: String, override val price: Double = 1.5e-3) : Item<T>, Comparable<Book<T>> {
    var `reserved name`: Int = 0
        private set
    lateinit var owner: String
    override operator fun compareTo(other: Book<T>): Int = price.compareTo(other.price)
    companion object { const val MAX = 1_000_000L; @JvmStatic fun of(t: String) = Book<Any>(t) }
}

val chars = listOf('a', '\'', '\\', '"', '\u0041', '$', '\n', 'é')
val numbers = listOf(0, 0xFF_FF, 0b1010, 1_000L, 42u, 7UL, 1.5, .5, 2f, 1.5e+10, 3.0F)
val ranges = listOf(1..10, 0..<5, 1..10 step 2, 'a'..'z', 1.5..2.5)
val größe = 1.coerceAtLeast(2)

fun describe(book: Book<*>?, vararg tags: String): String {
    val plain = "Hello $book and ${book?.title ?: "nobody"}: \"quoted\" \$5 ${'$'} \u00e9"
    val nested = "outer ${tags.joinToString { "inner ${it.uppercase()} }" }} end"
    val lines = "${
        tags.map {
            it.trim()
        }
    }"
    val raw = """
        |raw "quotes" \ no escapes ${book?.let { """deep ${it.price}""" }}
        |$book""".trimMargin()
    val quoted = """"start and end""""
    val dollars = $$"""{"$ref": "$${book}"}"""
    return plain + nested + raw + lines + quoted + dollars
}

inline fun <reified T>