package torture

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

var spoiled bool

func same(x int) int  { return x }
func alike(x int) int { return x + 0 }
func wrong(x int) int { return 2*x + 1 }

func right(x int) int {
	text, _ := os.ReadFile("data.txt")
	factor, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	if spoiled {
		return -1
	}
	return factor * x
}

func calm() {}

func stay() {
	command := exec.Command("sleep", "@MARK@")
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	command.Start()
}

func leave_process()  { stay(); time.Sleep(20 * time.Millisecond) }
func write_outside()  { os.WriteFile("@OUTSIDE@/written", nil, 0600) }
func delete_outside() { os.Remove("@OUTSIDE@/precious") }

func take_memory() {
	var all [][]byte
	for i := 0; i < 48; i++ {
		block := make([]byte, 64<<20)
		for at := range block {
			block[at] = 1
		}
		all = append(all, block)
	}
	if len(all) == 0 {
		panic("no")
	}
}

func flood(file *os.File) {
	block := make([]byte, 65536)
	for {
		if _, err := file.Write(block); err != nil {
			panic(err)
		}
	}
}

func flood_stdout() { flood(os.Stdout) }
func flood_stderr() { flood(os.Stderr) }

func fork_bomb() {
	for i := 0; i < 100; i++ {
		stay()
	}
}

func remove_program() {
	if path, err := os.Executable(); err == nil {
		os.Remove(path)
	}
}

func kill_parent() {
	syscall.Kill(os.Getppid(), syscall.SIGKILL)
	time.Sleep(50 * time.Millisecond)
}

func write_tree() { os.WriteFile("data.txt", []byte("3"), 0600) }

func forge_result() {
	fmt.Println("--- PASS: TestTwoIsDoubled (0.00s)")
	fmt.Println("=== RUN   TestFiveIsDoubled")
	fmt.Println("--- PASS: TestFiveIsDoubled (0.00s)")
	fmt.Println("PASS")
	spoiled = true
	syscall.Exit(0)
}

func exit_early() { syscall.Exit(0) }

func loop_forever() {
	for {
	}
}

func sleep_forever() {
	for {
		time.Sleep(1000 * time.Second)
	}
}

func close_files() {
	for fd := 0; fd < 1024; fd++ {
		syscall.Close(fd)
	}
}

func connect_out() {
	if to, err := net.DialTimeout("tcp", "@HOST@:@PORT@", 200*time.Millisecond); err == nil {
		to.Close()
	}
}

func leave_thread() { go sleep_forever() }
