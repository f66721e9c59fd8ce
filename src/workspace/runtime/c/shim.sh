#!/bin/sh
# wildcaught: stands in PATH for cc, gcc, g++, … while a target is built.
#   WILDCAUGHT_SHIM_DIR  the directory of this script under its many names
#   WILDCAUGHT_CFLAGS    options added to every compilation
#   WILDCAUGHT_RUNTIME   archive (or object) added to every link
#   WILDCAUGHT_LDFLAGS   options added to every link, such as -Wl,--wrap=main
#   WILDCAUGHT_COMPILES  file that gets a line per call: directory, tool and
#                        arguments as the build gave them, separated by tabs
tool=${0##*/}
dir=${WILDCAUGHT_SHIM_DIR:-${0%/*}}

# The real compiler is looked up, and run, in a PATH without this directory: a
# wrapper such as c99 or ccache then finds compilers and not this script again.
rest= real= ifs=$IFS
set -f
IFS=:
for entry in $PATH; do
    [ "$entry" = "$dir" ] && continue
    entry=${entry:-.}
    rest=$rest${rest:+:}$entry
    [ -z "$real" ] && [ -f "$entry/$tool" ] && [ -x "$entry/$tool" ] && real=$entry/$tool
done
IFS=$ifs
if [ -z "$real" ]; then
    echo "wildcaught: no $tool in PATH" >&2
    exit 127
fi
PATH=$rest
export PATH

# What kind of call is it?
link=1 inputs= headers= sources= language= next= check= clang= tab='	' newline='
'
for arg do
    case $next in
    value) next= check=$check\ $arg; continue ;;
    language) next= language=$arg; continue ;;
    esac
    case $arg in
    --version | --help* | --target-help | -dumpversion | -dumpfullversion | -dumpmachine | -dumpspecs | -print-* | --print-* | '-###')
        exec "$real" "$@" ;;
    -c | -S | -E | -M | -MM | -fsyntax-only | -r | -m32 | -mx32 | -m16 | --precompile) link= ;;
    -x) next=language ;;
    -x*) language=${arg#-x} ;;
    -o | -[DUILFBTluzeA] | -MF | -MT | -MQ | -MJ | -include | -imacros | -isystem | -idirafter \
        | -iquote | -iprefix | -iwithprefix | -iwithprefixbefore | -isysroot | -imultilib \
        | -Xlinker | -Xassembler | -Xpreprocessor | -Xclang | -aux-info | --param | -arch \
        | -framework | -target | -dumpbase | -dumpdir | -wrapper | -mllvm)
        next=value ;;
    -) inputs=1 ;;
    -*) ;;
    @*) # a response file: mostly the objects of a link
        inputs=1
        while read -r line || [ -n "$line" ]; do
            case " $line " in *' -c '* | *' -S '* | *' -E '* | *' -r '*) link= ;; esac
        done <"${arg#@}" ;;
    *.h | *.hh | *.hpp | *.hxx | *.H) inputs=1 check=$check\ $arg headers=1 ;;
    *) inputs=1 check=$check\ $arg sources=1 ;;
    esac
done
# Without input nothing is built (-v); headers alone are precompiled.
[ -z "$inputs" ] && exec "$real" "$@"
[ -n "$headers" ] && [ -z "$sources" ] && link=
case $language in *-header) link= ;; esac

if [ -n "$WILDCAUGHT_COMPILES" ]; then
    record=$PWD$tab$tool
    for arg do
        case $arg in
        *[\\$tab$newline]*)
            arg=$(printf '%s' "$arg" | sed -e 's/\\/\\\\/g' -e "s/$tab/\\\\t/g" | awk 'NR>1{printf "\\n"}{printf "%s",$0}') ;;
        esac
        record=$record$tab$arg
    done
    if [ ${#record} -lt 2000 ]; then
        printf '%s\n' "$record" >>"$WILDCAUGHT_COMPILES"
    else # the shell may write this in pieces, cat does not
        printf '%s\n' "$record" >"$WILDCAUGHT_COMPILES.$$"
        cat "$WILDCAUGHT_COMPILES.$$" >>"$WILDCAUGHT_COMPILES"
        rm -f "$WILDCAUGHT_COMPILES.$$"
    fi
fi

# The questions of configure and CMake are answered by the compiler as it is:
# -w would make every option seem to work. Of the archive they take nothing,
# unless they link a library of the target.
ldflags=
case "$PWD/ $check" in
*/CMakeTmp* | */CMakeScratch/* | */CompilerId*/* | */meson-private/* | *conftest*) ;;
*)
    case $tool in
    *clang*) clang=1 ;;
    cc | c++ | c99 | c89) case $(readlink -f "$real") in *clang*) clang=1 ;; esac ;;
    esac
    for flag in $WILDCAUGHT_CFLAGS; do
        case $clang$flag in 1-fmax-errors=* | 1-ftrack-macro-expansion* | 1-fno-code-hoisting) continue ;; esac
        set -- "$@" "$flag"
    done
    ldflags=$WILDCAUGHT_LDFLAGS
    ;;
esac
if [ -n "$link" ] && [ -n "$WILDCAUGHT_RUNTIME" ]; then
    [ -n "$language" ] && set -- "$@" -x none
    set -- "$@" $ldflags "$WILDCAUGHT_RUNTIME"
fi
exec "$real" "$@"
